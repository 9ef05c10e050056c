package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DefaultConsumer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.settings.file.PrintableText;
import org.cartostream.slam.sensor.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Consumer of one queue: decodes its deliveries, and hands each to a receiver with a receipt. */
final class QueueConsumer extends DefaultConsumer {

  private static final Logger LOG = LoggerFactory.getLogger(QueueConsumer.class);

  /** Maximum length of a message's headers, characters: those that brokers add are far shorter. */
  private static final int MAX_HEADER_CHARACTERS = 4096;

  /**
   * Divisor of the prefetch: that part of the unacknowledged messages may be pieces of incomplete
   * frames.
   */
  private static final int PIECES_A_PREFETCH = 3;

  /** Refusals of messages that may be valid. */
  private static final Set<Refusal> NO_SPACE =
      Set.of(BrokerRefusal.TOO_LARGE, BrokerRefusal.NO_ROOM);

  private final FrameReader reader;
  private final Receiver receiver;
  private final Semaphore ofPieces;
  private final Consumer<String> onBroken;
  private final IntConsumer onKept;

  /**
   * Decoder of the broker's messages into envelopes.
   *
   * @param pieces incomplete frames; they outlive a link, as the rest of a frame may come by the
   *     next one
   */
  record FrameReader(Codec codec, FrameFragmentation pieces) {

    static FrameReader atMost(int bytes) {
      return new FrameReader(new Codec(bytes), new FrameFragmentation(bytes));
    }
  }

  /**
   * @param prefetch maximum number of unacknowledged messages
   * @param onKept told by how many the number of handled and unacknowledged messages changes
   */
  QueueConsumer(
      Channel channel,
      int prefetch,
      FrameReader reader,
      Receiver receiver,
      Consumer<String> onBroken,
      IntConsumer onKept) {
    super(channel);
    this.ofPieces = receiptsOfPieces(prefetch);
    this.reader = reader;
    this.receiver = receiver;
    this.onBroken = onBroken;
    this.onKept = onKept;
  }

  @Override
  public void handleDelivery(
      String tag,
      com.rabbitmq.client.Envelope delivery,
      AMQP.BasicProperties properties,
      byte[] frame) {
    Receiver.Receipt receipt = receipt(delivery);
    if (receiver == Receiver.NOBODY) {
      return;
    }
    handle(delivery, properties, frame, receipt);
    onKept.accept(1); // In sum 0, if it is acknowledged already.
  }

  private void handle(
      com.rabbitmq.client.Envelope delivery,
      AMQP.BasicProperties properties,
      byte[] frame,
      Receiver.Receipt receipt) {
    if (areRefused(properties.getHeaders())) {
      refuse(BrokerRefusal.HEADERS.because(headers(properties)), receiver, receipt);
      return;
    }
    handOver(
        frame,
        delivery.getExchange(),
        delivery.getRoutingKey(),
        reader,
        receiver,
        receipt,
        ofPieces);
  }

  /** Returns the permits for receipts of pieces that wait for the rest of their frames. */
  static Semaphore receiptsOfPieces(int prefetch) {
    return new Semaphore(prefetch / PIECES_A_PREFETCH);
  }

  /** Decodes a message and hands it to its receiver; a refused message is acknowledged at once. */
  static void handOver(
      byte[] message,
      String exchange,
      String routingKey,
      FrameReader reader,
      Receiver receiver,
      Receiver.Receipt itsReceipt,
      Semaphore ofPieces) {
    if (receiver == Receiver.NOBODY) {
      return;
    }
    Receiver.Receipt receipt = itsReceipt;
    Envelope envelope;
    String robot = BrokerNames.robotOf(exchange, routingKey);
    try {
      IntPredicate accepts =
          bytes ->
              receiver.accepts(robot, bytes)
                  || drop(bytes + " bytes, more than its robot's share", message, robot, receiver);
      byte[] frame = message;
      if (FrameFragmentation.isPiece(message)) {
        Optional<FrameFragmentation.Reassembled> whole =
            reader.pieces.take(routingKey, message, accepts, () -> keep(itsReceipt, ofPieces));
        if (whole.isEmpty()) {
          return;
        }
        frame = whole.get().frame();
        receipt = new ReceiptOfAll(itsReceipt, whole.get().pendingAcks());
      } else if (!accepts.test(message.length)) {
        receipt.acknowledge();
        return;
      }
      envelope = reader.codec.decode(frame);
      checkSender(envelope, robot, routingKey);
    } catch (RefusedMessageException e) {
      if (NO_SPACE.contains(e.why().refusal())) {
        drop(e.why().toString(), message, robot, receiver);
      }
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

  /** Receipt of a frame that came in pieces. */
  private record ReceiptOfAll(Receiver.Receipt last, Runnable others) implements Receiver.Receipt {
    @Override
    public void acknowledge() {
      others.run();
      last.acknowledge();
    }

    @Override
    public boolean isRedelivered() {
      return last.isRedelivered();
    }
  }

  /**
   * Keeps the receipt of a piece; returns the action that gives it. If too many are kept already,
   * the receipt is given at once, or the broker would deliver no more.
   */
  private static Runnable keep(Receiver.Receipt receipt, Semaphore ofPieces) {
    if (!ofPieces.tryAcquire()) {
      receipt.acknowledge();
      return () -> {};
    }
    AtomicBoolean given = new AtomicBoolean();
    return () -> {
      if (given.compareAndSet(false, true)) {
        receipt.acknowledge();
        ofPieces.release();
      }
    };
  }

  /** Tells a receiver what is dropped, if this is the frame's beginning; returns false. */
  private static boolean drop(String why, byte[] message, String robot, Receiver receiver) {
    Codec.answer(FrameFragmentation.beginning(message), new DroppedMessage(why))
        .filter(answer -> answer.robot().equals(robot))
        .ifPresent(receiver::dropped);
    return false;
  }

  private static void refuse(Refusal.Reason why, Receiver receiver, Receiver.Receipt receipt) {
    receipt.acknowledge();
    receiver.refused(why);
  }

  /**
   * Returns true if a message is refused for its headers. RabbitMQ takes routing keys from CC and
   * BCC, and does not check them. Short headers are allowed, as brokers add some to what they
   * deliver again or pass on.
   */
  static boolean areRefused(Map<String, Object> headers) {
    return headers != null
        && (headers.containsKey("CC")
            || headers.containsKey("BCC")
            || headers.toString().length() > MAX_HEADER_CHARACTERS);
  }

  /** Returns the names of a message's headers, for people. */
  private static String headers(AMQP.BasicProperties properties) {
    return PrintableText.of(String.join(", ", properties.getHeaders().keySet()));
  }

  /**
   * Checks the sender by the routing key. What the broker lets a robot publish depends on the key,
   * so the key is to be trusted.
   */
  private static void checkSender(Envelope envelope, String robot, String routingKey) {
    if (!robot.equals(envelope.robot())) {
      throw new RefusedMessageException(
          BrokerRefusal.OTHER_SENDER.because(
              "robot %s, routing key '%s'"
                  .formatted(envelope.robot(), PrintableText.of(routingKey))));
    }
  }

  /** Breaks the link, as the queue was deleted: the next link declares it again. */
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
          onKept.accept(-1);
        }
      }

      @Override
      public boolean isRedelivered() {
        return delivery.isRedeliver();
      }
    };
  }

  /**
   * Acknowledges a delivery; on a closed channel this does nothing, and the broker delivers again.
   */
  private void acknowledge(long tag) {
    try {
      getChannel().basicAck(tag, false);
    } catch (IOException | AlreadyClosedException e) {
      LOG.debug("no receipt for delivery {}", tag, e);
    }
  }
}
