package org.cartostream.topology.collectives;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.Access;
import org.cartostream.broker.BrokerSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Members that reach a broker only: each has a queue of its own, which goes with its connection. So
 * what is sent to a member that is gone comes back, and names it.
 *
 * <p>Slower than the other channels, and each payload goes through the broker once for each
 * receiver; it is there because the first version of this service had nothing else. What is sent
 * waits in an outbox of {@code maxWaitingBytes}, for publishing to a broker may block.
 *
 * <p>Owns its connection and two threads, one that publishes and one that takes deliveries. All end
 * when the connection breaks: the calls of this member then end for want of messages.
 */
public final class RabbitMqChannel implements Channel {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitMqChannel.class);
  private static final String EXCHANGE = "cartostream.collectives";
  private static final int CLOSE_MILLIS = 3000;

  private final String group;
  private final int rank;
  private final int size;
  private final CollectiveSettings settings;
  private final Connection connection;
  private final com.rabbitmq.client.Channel publishing;
  private final com.rabbitmq.client.Channel consuming;
  private final ExecutorService courier;
  private final ExecutorService deliveries;
  private final AtomicLong outboxBytes = new AtomicLong();
  private volatile Receiver receiver;

  /**
   * Connects, and declares this member's queue: from now on it can be sent to. Whoever sends to a
   * member before that takes it as lost; so begin when all are there.
   *
   * @param broker its address with user and password, which must be given
   * @param group its name: letters, digits, {@code -} and {@code _}
   * @throws IOException if the broker is not there, or another member has this rank
   */
  public RabbitMqChannel(
      BrokerSettings broker, String group, int rank, int size, CollectiveSettings settings)
      throws IOException {
    this.group = group;
    this.rank = rank;
    this.size = size;
    this.settings = settings;
    this.courier = thread("collectives-courier-" + rank);
    this.deliveries = thread("collectives-deliveries-" + rank);
    try {
      this.connection = factory(broker).newConnection(deliveries, group + " " + rank);
    } catch (IOException | TimeoutException | GeneralSecurityException | RuntimeException e) {
      courier.shutdown();
      deliveries.shutdown();
      throw new IOException("no connection to the broker: " + e.getMessage(), e);
    }
    try {
      this.publishing = connection.createChannel();
      this.consuming = connection.createChannel();
      publishing.exchangeDeclare(EXCHANGE, BuiltinExchangeType.DIRECT, false);
      consuming.queueDeclare(queue(rank), false, true, true, null);
      consuming.queueBind(queue(rank), EXCHANGE, queue(rank));
    } catch (IOException e) {
      connection.abort(CLOSE_MILLIS);
      throw e;
    }
  }

  private ConnectionFactory factory(BrokerSettings broker) throws GeneralSecurityException {
    ConnectionFactory factory = Access.factory(broker);
    factory.setConnectionTimeout(settings.connectTimeoutMillis());
    factory.setMaxInboundMessageBodySize(Integer.MAX_VALUE);
    return factory;
  }

  private static ExecutorService thread(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  private String queue(int ofRank) {
    return "collectives." + group + "." + ofRank;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int partBytes() {
    return settings.partBytes();
  }

  @Override
  public void open(Receiver itsReceiver) {
    receiver = itsReceiver;
    publishing.addReturnListener(this::returned);
    try {
      consuming.basicConsume(queue(rank), true, new Consumer());
    } catch (IOException e) {
      throw new IllegalStateException("the queue " + queue(rank) + " cannot be read", e);
    }
  }

  @Override
  public void send(Frame frame, int... to) {
    byte[] bytes = FrameCodec.encode(frame, Unpooled::buffer).array();
    Frame head = frame.head();
    for (int other : to) {
      if (outboxBytes.addAndGet(bytes.length) > settings.maxWaitingBytes()) {
        outboxBytes.addAndGet(-bytes.length);
        receiver.undeliverable(head, other, settings.maxWaitingBytes() + " bytes wait already");
      } else if (!courier.isShutdown()) {
        courier.execute(() -> publish(head, other, bytes));
      }
    }
  }

  private void publish(Frame head, int to, byte[] bytes) {
    outboxBytes.addAndGet(-bytes.length);
    try {
      publishing.basicPublish(EXCHANGE, queue(to), true, MessageProperties.MINIMAL_BASIC, bytes);
    } catch (IOException | ShutdownSignalException e) {
      receiver.undeliverable(head, to, "the connection to the broker broke: " + e.getMessage());
    }
  }

  private void returned(Return message) {
    Frame frame = decode(message.getBody());
    String key = message.getRoutingKey();
    int to = Integer.parseInt(key.substring(key.lastIndexOf('.') + 1));
    receiver.undeliverable(frame.head(), to, "it has no queue at the broker");
  }

  private Frame decode(byte[] bytes) {
    ByteBuf in = Unpooled.wrappedBuffer(bytes);
    int headBytes = in.readInt();
    int payloadBytes = in.readInt();
    Frame frame = FrameCodec.decodeHead(in.readSlice(headBytes), payloadBytes, size, this::room);
    frame.blocks().forEach(block -> in.readBytes(block.array()));
    return frame;
  }

  private byte[] room(int length) {
    byte[] spare = receiver.spare(length);
    return spare == null ? new byte[length] : spare;
  }

  /** Leaves. What is on its way to the broker still goes, if that is quick. */
  @Override
  public void close() {
    courier.shutdown();
    try {
      courier.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.abort(CLOSE_MILLIS);
    deliveries.shutdownNow();
  }

  private final class Consumer extends DefaultConsumer {

    Consumer() {
      super(consuming);
    }

    @Override
    public void handleDelivery(
        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
      try {
        receiver.receive(decode(body));
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        LOG.warn("rank {} of group {} drops what is no frame: {}", rank, group, e.getMessage());
      }
    }
  }
}
