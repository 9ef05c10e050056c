package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.MalformedFrameException;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.cartostream.broker.BrokerException;

/**
 * Translation of the AMQP client's exceptions into one sentence on why a connection broke or could
 * not be opened.
 */
final class ConnectionErrors {

  private ConnectionErrors() {}

  /** Returns the exception to throw when opening or subscribing failed. */
  static BrokerException of(BrokerAddress address, Exception failure) {
    return new BrokerException(sentence(address, failure), failure);
  }

  /** Returns why an open connection or channel broke. */
  public static String reason(ShutdownSignalException signal) {
    if (signal.getReason() instanceof AMQP.Connection.Close close) {
      return close.getReplyText();
    }
    if (signal.getReason() instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    }
    Throwable cause = signal.getCause();
    return cause == null || cause.getMessage() == null
        ? "the other side closed it"
        : cause.getMessage();
  }

  /**
   * Returns true if a broker that is there refuses a request, so that trying again is of no use.
   */
  static boolean isRefusal(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ShutdownSignalException signal
          && (signal.getReason() instanceof AMQP.Channel.Close
              || (signal.getReason() instanceof AMQP.Connection.Close close
                  && isTaken(close.getReplyCode(), close.getReplyText())))) {
        return true;
      }
    }
    return false;
  }

  private static String sentence(BrokerAddress address, Exception failure) {
    String at = address.hostAndPort();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return "the broker's host '" + address.host() + "' is not known";
      }
      if (cause instanceof AuthenticationFailureException
          || cause instanceof PossibleAuthenticationFailureException) {
        return "the broker at " + at + " refuses the user name or the password";
      }
      if (cause instanceof SSLException) {
        return "TLS with the broker at " + at + " failed: " + cause.getMessage();
      }
      if (cause instanceof ConnectException
          || cause instanceof NoRouteToHostException
          || cause instanceof SocketTimeoutException) {
        return "no broker answers at " + at + " (" + cause.getMessage() + ")";
      }
      if (cause instanceof MalformedFrameException) {
        return "what answers at " + at + " does not speak AMQP 0-9-1";
      }
      if (cause instanceof ShutdownSignalException signal
          && signal.getReason() instanceof AMQP.Connection.Close close) {
        return refused(address, close);
      }
      if (cause instanceof ShutdownSignalException signal
          && signal.getReason() instanceof AMQP.Channel.Close close) {
        return refused(at, close);
      }
    }
    if (failure instanceof TimeoutException) {
      return "what answers at " + at + " does not greet as a broker does within the time";
    }
    return failure instanceof IOException
        ? "the broker at " + at + " closed the connection before it was open"
        : "the broker at " + at + " cannot be used: " + failure.getMessage();
  }

  private static String refused(String at, AMQP.Channel.Close close) {
    return isTaken(close.getReplyCode(), close.getReplyText())
        ? takenSentence(at, close.getReplyText())
        : "the broker at " + at + " refuses a queue or an exchange: " + close.getReplyText();
  }

  /**
   * Returns true if the broker closed a channel with a certain reply code.
   *
   * @param code reply code of AMQP
   */
  static boolean isChannelClosed(IOException failure, int code) {
    return failure.getCause() instanceof ShutdownSignalException signal
        && signal.getReason() instanceof AMQP.Channel.Close close
        && close.getReplyCode() == code;
  }

  /**
   * Returns true if a queue has another exclusive consumer: RabbitMQ closes the channel then, Qpid
   * the connection.
   */
  private static boolean isTaken(int code, String text) {
    return code == AMQP.ACCESS_REFUSED && text.contains("exclusive");
  }

  private static String takenSentence(String at, String text) {
    return "somebody else already takes what waits in a queue at "
        + at
        + " (or it does not know yet that an earlier connection is gone): "
        + text;
  }

  private static String refused(BrokerAddress address, AMQP.Connection.Close close) {
    int code = close.getReplyCode();
    if (isTaken(code, close.getReplyText())) {
      return takenSentence(address.hostAndPort(), close.getReplyText());
    }
    if (code == AMQP.NOT_ALLOWED || code == AMQP.NOT_FOUND || code == AMQP.ACCESS_REFUSED) {
      return "the broker at %s has no vhost '%s' for this user"
          .formatted(address.hostAndPort(), address.vhost());
    }
    return "the broker at %s closes the connection: %s"
        .formatted(address.hostAndPort(), close.getReplyText());
  }
}
