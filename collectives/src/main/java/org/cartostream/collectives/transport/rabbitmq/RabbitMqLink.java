package org.cartostream.collectives.transport.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One connection of a {@link RabbitMqChannel} to the broker, from its opening to its first failure.
 * With the connection the broker deletes the member's queue. If the connection, one of its AMQP
 * channels or the subscription breaks, the link is broken, and the {@code RabbitMqChannel} opens
 * another.
 *
 * <p>Owns the connection.
 */
final class RabbitMqLink {

  private static final String EXCHANGE = "cartostream.collectives";
  private static final int CLOSE_MILLIS = 3000;

  private final Connection connection;
  private final Channel publishing;
  private final Channel consuming;
  private final String queue;
  private final long bornNanos = System.nanoTime();
  private final Consumer<RabbitMqLink> onBroken;
  private final AtomicReference<String> broken = new AtomicReference<>();

  /**
   * Connects, and declares a queue: from now on, others can send to it.
   *
   * @param deliveries runs the hand-over of messages
   * @param name name of the connection, as the broker's tools show it
   * @param queue the queue's name
   * @param onBroken learns, once, that this link has broken; must be short, for it may be called by
   *     the client's threads
   * @throws IOException if the broker is not there, or another member has the queue
   */
  RabbitMqLink(
      ConnectionFactory factory,
      ExecutorService deliveries,
      String name,
      String queue,
      Consumer<RabbitMqLink> onBroken)
      throws IOException {
    this.queue = queue;
    this.onBroken = onBroken;
    try {
      this.connection = factory.newConnection(deliveries, name);
    } catch (IOException | TimeoutException | RuntimeException e) {
      throw new IOException("no connection to the broker: " + e.getMessage(), e);
    }
    try {
      connection.addShutdownListener(this::onShutdown);
      this.publishing = channel();
      this.consuming = channel();
      publishing.exchangeDeclare(EXCHANGE, BuiltinExchangeType.DIRECT, false);
      consuming.queueDeclare(queue, false, true, true, null);
      consuming.queueBind(queue, EXCHANGE, queue);
    } catch (IOException | RuntimeException e) {
      connection.abort(CLOSE_MILLIS);
      throw new IOException("the queue " + queue + " cannot be had: " + e.getMessage(), e);
    }
  }

  private Channel channel() throws IOException {
    Channel channel = connection.createChannel();
    if (channel == null) {
      throw new IOException("the broker allows no more channels");
    }
    channel.addShutdownListener(this::onShutdown);
    return channel;
  }

  /**
   * Begins to hand over messages.
   *
   * @param delivered takes a message that came to this queue
   * @param returned takes a published message that the broker returned because its queue does not
   *     exist, and that queue's name
   */
  void open(Consumer<byte[]> delivered, BiConsumer<byte[], String> returned) throws IOException {
    publishing.addReturnListener(
        message -> returned.accept(message.getBody(), message.getRoutingKey()));
    consuming.basicConsume(queue, true, new Deliveries(delivered));
  }

  /**
   * Publishes a message; returns false if the link is broken. True does not mean that the message
   * has arrived. Called by one thread at a time.
   */
  boolean publish(String to, byte[] bytes) {
    if (broken() != null) {
      return false;
    }
    try {
      publishing.basicPublish(EXCHANGE, to, true, MessageProperties.MINIMAL_BASIC, bytes);
      return true;
    } catch (ShutdownSignalException e) {
      breakWith(reason(e));
      return false;
    } catch (IOException e) {
      breakWith(e.getMessage());
      return false;
    }
  }

  /** Returns the time when the link was opened, by {@link System#nanoTime}. */
  long bornNanos() {
    return bornNanos;
  }

  /** Returns why the link is broken, as a clause; null while it works. */
  String broken() {
    return broken.get();
  }

  private void onShutdown(ShutdownSignalException signal) {
    if (!signal.isInitiatedByApplication()) {
      breakWith(reason(signal));
    }
  }

  private static String reason(ShutdownSignalException signal) {
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

  private void breakWith(String why) {
    if (broken.compareAndSet(null, String.valueOf(why))) {
      onBroken.accept(this);
    }
  }

  /** Closes the connection, waiting for at most 3 s. */
  void close() {
    connection.abort(CLOSE_MILLIS);
  }

  private final class Deliveries extends DefaultConsumer {

    private final Consumer<byte[]> delivered;

    Deliveries(Consumer<byte[]> delivered) {
      super(consuming);
      this.delivered = delivered;
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      delivered.accept(body);
    }

    @Override
    public void handleCancel(String tag) {
      breakWith("the queue " + queue + " was deleted");
    }
  }
}
