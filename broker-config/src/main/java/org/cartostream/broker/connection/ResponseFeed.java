package org.cartostream.broker.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.names.QueueArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscription of an observer to a service's answers to all robots. It publishes nothing. An
 * observer's account has a queue of its own; with any other account, the subscription makes a queue
 * that ends with the connection. After an outage it continues with the answers that come then.
 *
 * <p>Owns the connection and the thread that opens it again. Another thread hands over messages,
 * one at a time.
 */
public final class ResponseFeed implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ResponseFeed.class);

  /**
   * Maximum number of unacknowledged deliveries; answers that are not taken soon are dropped by the
   * broker: see {@link BrokerUsers#withObserver}.
   */
  private static final int PREFETCH = 64;

  private static final long PAUSE_MILLIS = 1_000;
  private static final int CLOSE_MILLIS = 2_000;

  private final BrokerAddress address;
  private final BrokerSettings settings;
  private final String binding;
  private final QueueConsumer.FrameReader reader;
  private final Receiver receiver;
  private final BrokerListener listener;
  private final ExecutorService deliveries =
      AmqpConnections.deliveryExecutor("observer-deliveries");

  /** Reason of the first break that is not mended yet. */
  private final BlockingQueue<String> breaks = new ArrayBlockingQueue<>(1);

  private final Thread reopening;
  private volatile Connection connection;
  private volatile boolean closed;

  private ResponseFeed(
      BrokerAddress address,
      BrokerSettings settings,
      String binding,
      Receiver receiver,
      BrokerListener listener) {
    this.address = address;
    this.settings = settings;
    this.binding = binding;
    this.reader = QueueConsumer.FrameReader.atMost(settings.maxMessageBytes());
    this.receiver = receiver;
    this.listener = listener;
    this.reopening = AmqpConnections.daemonThread(this::reopen, "observer-connection");
  }

  /**
   * Begins to observe some of the answers; with an observer's account, all of them.
   *
   * @param binding pattern of routing keys: {@link BrokerNames#EVERY_ANSWER} for all
   * @param listener learns of outages
   * @throws BrokerException if the broker cannot be reached, or lets nobody observe; the message is
   *     one sentence
   */
  public static ResponseFeed open(
      BrokerSettings settings, String binding, Receiver receiver, BrokerListener listener) {
    BrokerAddress address;
    try {
      address = BrokerAddress.of(settings.uri(), System.getenv());
    } catch (IllegalArgumentException e) {
      throw new BrokerException(e.getMessage(), e);
    }
    ResponseFeed feed = new ResponseFeed(address, settings, binding, receiver, listener);
    try {
      feed.connect();
    } catch (BrokerException e) {
      feed.deliveries.shutdownNow();
      throw e;
    }
    feed.reopening.start();
    return feed;
  }

  private void connect() {
    Connection opened = null;
    try {
      opened = AmqpConnections.factory(address, settings).newConnection(deliveries, "observer");
      connection = opened;
      Channel channel =
          Optional.ofNullable(opened.createChannel())
              .orElseThrow(() -> new IOException("the broker gives no channel"));
      channel.basicQos(PREFETCH);
      reader.pieces().expectAgain();
      channel.basicConsume(
          queue(channel),
          false,
          new QueueConsumer(channel, PREFETCH, reader, receiver, this::broken, kept -> {}));
      opened.addShutdownListener(signal -> broken(ConnectionErrors.reason(signal)));
    } catch (IOException
        | TimeoutException
        | GeneralSecurityException
        | ShutdownSignalException e) {
      if (opened != null) {
        opened.abort(CLOSE_MILLIS);
      }
      throw ConnectionErrors.of(address, e);
    }
  }

  private String queue(Channel channel) throws IOException {
    Optional<String> own = BrokerUsers.observerOf(address.user());
    if (own.isPresent()) {
      return BrokerNames.observerQueue(own.get());
    }
    Map<String, Object> bounds =
        QueueArguments.of(channel.getConnection().getServerProperties()).ofObserver();
    String queue = BrokerNames.passingObserverQueue();
    channel.queueDeclare(queue, false, true, true, bounds);
    channel.exchangeDeclarePassive(BrokerNames.ANSWERS);
    channel.queueBind(queue, BrokerNames.ANSWERS, binding);
    return queue;
  }

  /** Notes that the connection broke. Called by threads of the client. */
  private void broken(String why) {
    if (!closed && !breaks.offer(why)) {
      LOG.debug("it is known already that the connection broke: {}", why);
    }
  }

  private void reopen() {
    try {
      while (!closed) {
        String why = breaks.poll(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        if (why == null && connection.isOpen()) {
          continue;
        }
        connection.abort(CLOSE_MILLIS);
        listener.onDown(
            "the connection to the broker at %s broke%s"
                .formatted(address.hostAndPort(), why == null ? "" : ": " + why));
        breaks.clear(); // The connection that was ended just now has added some.
        while (!closed && !isOpenAgain()) {
          Thread.sleep(PAUSE_MILLIS);
        }
        if (!closed) {
          listener.onUp();
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("the observer's connection is closed");
    }
  }

  private boolean isOpenAgain() {
    try {
      connect();
      return true;
    } catch (BrokerException e) {
      LOG.debug("the broker is still away", e);
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    reopening.interrupt();
    connection.abort(CLOSE_MILLIS);
    deliveries.shutdownNow();
  }
}
