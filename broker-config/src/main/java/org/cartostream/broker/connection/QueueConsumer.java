package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.Pieces;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes the deliveries of one queue, and hands them to its receiver with a receipt. */
final class QueueConsumer extends DefaultConsumer {

  private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);

  /** Of a message's own words in a log. */
  private static final int MOST_CHARACTERS = 80;

  private final FrameReader reader;
  private final Receiver receiver;
  private final Consumer<String> onBroken;

  /**
   * Turns messages of the broker into envelopes.
   *
   * @param pieces outlives a link: what comes on the next may be the rest of a frame
   */
  record FrameReader(Codec codec, Pieces pieces) {

    static FrameReader atMost(int bytes) {
      return new FrameReader(new Codec(bytes), new Pieces(bytes));
    }
  }

  QueueConsumer(Channel channel, FrameReader reader, Receiver receiver, Consumer<String> onBroken) {
    super(channel);
    this.reader = reader;
    this.receiver = receiver;
    this.onBroken = onBroken;
  }

  @Override
  public void handleDelivery(
      String tag,
      com.rabbitmq.client.Envelope delivery,
      AMQP.BasicProperties properties,
      byte[] frame) {
    Receiver.Receipt receipt = receipt(delivery);
    if (properties.getHeaders() != null && !properties.getHeaders().isEmpty()) {
      refuse(BrokerRefusal.HEADERS.because(headers(properties)), receiver, receipt);
      return;
    }
    handOver(frame, delivery.getExchange(), delivery.getRoutingKey(), reader, receiver, receipt);
  }

  /** Decodes a frame and hands it to its receiver; one that is refused gets its receipt at once. */
  static void handOver(
      byte[] frame,
      String exchange,
      String routingKey,
      FrameReader reader,
      Receiver receiver,
      Receiver.Receipt receipt) {
    Envelope envelope;
    try {
      String robot = BrokerNames.robotOf(exchange, routingKey);
      Optional<byte[]> whole =
          reader.pieces.take(routingKey, frame, bytes -> receiver.accepts(robot, bytes));
      if (whole.isEmpty()) {
        receipt.acknowledge(); // Of a frame in pieces the last receipt counts.
        return;
      }
      envelope = reader.codec.decode(whole.get());
      checkSender(envelope, exchange, routingKey);
    } catch (RefusedMessageException e) {
      refuse(e.why(), receiver, receipt);
      return;
    }
    try {
      receiver.received(envelope, receipt);
    } catch (RuntimeException e) {
      LOG.error("a message of robot {} was not taken, and is dropped", envelope.robot(), e);
      receipt.acknowledge();
    }
  }

  private static void refuse(Refusal.Reason why, Receiver receiver, Receiver.Receipt receipt) {
    receipt.acknowledge();
    receiver.refused(why);
  }

  /** Their names, for people: CC and BCC are those that RabbitMQ minds. */
  private static String headers(AMQP.BasicProperties properties) {
    String names = String.join(", ", properties.getHeaders().keySet());
    return names.substring(0, Math.min(MOST_CHARACTERS, names.length()));
  }

  /**
   * What the broker lets a robot publish depends on the routing key, so that is the one to trust.
   */
  private static void checkSender(Envelope envelope, String exchange, String routingKey) {
    if (!BrokerNames.robotOf(exchange, routingKey).equals(envelope.robot())) {
      throw new RefusedMessageException(
          BrokerRefusal.OTHER_SENDER.because(
              "robot %s, routing key '%s'"
                  .formatted(envelope.robot(), routingKey.replaceAll("\\p{Cntrl}", "?"))));
    }
  }

  /** The queue was deleted: the link is made anew, and declares it again. */
  @Override
  public void handleCancel(String consumerTag) {
    onBroken.accept("the broker ended a subscription");
  }

  private Receiver.Receipt receipt(com.rabbitmq.client.Envelope delivery) {
    AtomicBoolean given = new AtomicBoolean();
    return new Receiver.Receipt() {
      @Override
      public void acknowledge() {
        if (given.compareAndSet(false, true)) {
          QueueConsumer.this.acknowledge(delivery.getDeliveryTag());
        }
      }

      @Override
      public boolean isRedelivered() {
        return delivery.isRedeliver();
      }
    };
  }

  /** On a closed channel there is nothing to acknowledge: the broker delivers again. */
  private void acknowledge(long tag) {
    try {
      getChannel().basicAck(tag, false);
    } catch (IOException | AlreadyClosedException e) {
      LOG.debug("no receipt for delivery {}", tag, e);
    }
  }
}
