package org.cartostream.broker.connection;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.cartostream.broker.BrokerException;

/**
 * Live connection to a broker, from its opening to its first failure. A fault of any channel or
 * subscription breaks the whole link: the {@link ReconnectingConnection} then opens another.
 */
interface BrokerLink {

  /** Opener of links to one broker for one party. */
  @FunctionalInterface
  interface Opener {

    /**
     * Opens a link and declares the exchanges and queues that all parties share.
     *
     * @param deliveries thread that hands over what subscriptions bring
     * @param outbox is told which messages are confirmed
     * @throws BrokerException if the link cannot be opened
     */
    BrokerLink open(ExecutorService deliveries, Outbox outbox);
  }

  /** Returns why the link is broken, in one sentence; null while it is not. */
  String breakReason();

  /** Breaks the link; the first reason given counts. */
  void breakWith(String why);

  /** Returns true if the link broke because the broker refuses one of the messages in flight. */
  boolean hasRefused();

  /**
   * Returns true if the broker refuses a message in flight as too large, and the link broke by
   * that.
   */
  boolean hasRefusedItsSize();

  /** Sends a message. Only one thread may call this method. */
  void send(Outbox.OutboundMessage outboundMessage);

  /** Removes and returns the messages that this link will never confirm, in their order. */
  List<Outbox.OutboundMessage> takeUnconfirmed();

  /**
   * Declares a gateway's two queues.
   *
   * @return the names of the queue of answers that must arrive, and of the queue of answers that a
   *     newer one replaces
   */
  List<String> declareAnswers(String robot) throws IOException;

  /** Subscribes to a gateway's queue, as its only consumer. */
  void consume(String queue, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException;

  /** Subscribes to the readings of all robots for a service. */
  void consumeReadings(
      String service, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException;

  /** Ends the subscriptions to some queues and deletes them. */
  void delete(List<String> queues) throws IOException;

  /** Deletes the queues of the readings for a service. */
  void deleteReadings(String service) throws IOException;

  /** Ends the connection, without waiting for more than a moment. */
  void close();
}
