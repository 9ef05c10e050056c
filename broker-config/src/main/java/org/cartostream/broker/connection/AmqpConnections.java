package org.cartostream.broker.connection;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.SaslMechanism;
import com.rabbitmq.client.impl.ForgivingExceptionHandler;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.names.BrokerNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Factory of AMQP connections, configured with address, user, certificates, limits, and the thread
 * of deliveries.
 */
public final class AmqpConnections {

  private static final Logger LOG = LoggerFactory.getLogger(AmqpConnections.class);

  /**
   * Maximum size of a delivery, bytes: as much as RabbitMQ can be told to carry. On a larger one
   * the client would close the connection, and be delivered the same message again. So the codec
   * refuses what is too large, and the broker's own limit (in our {@code rabbitmq.conf}) keeps it
   * from coming.
   */
  private static final int MAX_DELIVERY_BYTES = 512 << 20;

  private AmqpConnections() {}

  /**
   * Returns a factory of connections, which do not open themselves again.
   *
   * @throws GeneralSecurityException if the certificates cannot be used
   * @throws IllegalArgumentException if the settings name no broker
   */
  public static ConnectionFactory factory(BrokerSettings settings) throws GeneralSecurityException {
    return factory(BrokerAddress.of(settings.uri(), System.getenv()), settings);
  }

  static ConnectionFactory factory(BrokerAddress address, BrokerSettings settings)
      throws GeneralSecurityException {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(address.host());
    factory.setPort(address.port());
    factory.setVirtualHost(address.vhost());
    factory.setUsername(address.user());
    factory.setPassword(address.password());
    factory.setSaslConfig(AmqpConnections::mechanism);
    factory.setRequestedHeartbeat(settings.heartbeatSeconds());
    factory.setConnectionTimeout(settings.connectTimeoutSeconds() * 1000);
    factory.setHandshakeTimeout(settings.connectTimeoutSeconds() * 1000);
    factory.setChannelRpcTimeout(settings.connectTimeoutSeconds() * 1000);
    factory.setMaxInboundMessageBodySize(MAX_DELIVERY_BYTES);
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setExceptionHandler(
        new ForgivingExceptionHandler() {
          @Override
          protected void log(String message, Throwable e) {
            LOG.debug("{}", message, e);
          }
        });
    if (address.tls()) {
      factory.useSslProtocol(TlsFolder.contextOf(settings.tls()));
      factory.enableHostnameVerification();
    }
    return factory;
  }

  /**
   * Chooses login by password; where the broker does not offer that, login by certificate alone.
   */
  private static SaslMechanism mechanism(String[] offered) {
    boolean asks = List.of(offered).contains("PLAIN");
    return (asks ? DefaultSaslConfig.PLAIN : DefaultSaslConfig.EXTERNAL).getSaslMechanism(offered);
  }

  /**
   * Returns how many readings for a service wait, in the service's own queue and those of its
   * robots.
   *
   * @throws IOException if the service has no queue, as it has never run
   */
  public static long waitingReadings(Channel channel, String service) throws IOException {
    long waiting = channel.messageCount(BrokerNames.serviceQueue(service));
    for (String queue : RobotQueues.names(channel, service).keySet()) {
      waiting += channel.messageCount(queue);
    }
    return waiting;
  }

  /**
   * Returns the thread that hands over a connection's deliveries. After its shutdown it silently
   * drops deliveries: the client tells subscriptions the connection's end, which may come later,
   * and a rejection would be an uncaught exception in the client's own thread.
   */
  public static ExecutorService deliveryExecutor(String threadName) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        task -> daemonThread(task, threadName),
        new ThreadPoolExecutor.DiscardPolicy());
  }

  static Thread daemonThread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }
}
