package org.cartostream.broker.connection;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.cartostream.broker.BrokerException;

/**
 * One live connection to a broker, from its opening to its first failure. Whatever breaks, a
 * channel or a subscription, breaks the link: the {@link ReconnectingConnection} then makes
 * another.
 */
interface BrokerLink {

  /** Opens links to one broker for one party. */
  @FunctionalInterface
  interface Opener {

    /**
     * Opens a link and declares what all share.
     *
     * @param deliveries the thread that hands over what subscriptions bring
     * @param outbox is told which messages are confirmed
     * @throws BrokerException if it cannot be opened
     */
    BrokerLink open(ExecutorService deliveries, Outbox outbox);
  }

  /** Why the link is broken, in one sentence; null while it is not. */
  String breakReason();

  /** Breaks the link: from now on it counts as broken, for the first reason given. */
  void breakWith(String why);

  /** True if it broke because the broker does not take one of the messages in flight. */
  boolean hasRefused();

  /** True if {@link #hasRefused}, and with the code for a message that is too large. */
  boolean hasRefusedItsSize();

  /** Sends a message. Only one thread may call this. */
  void send(Outbox.OutboundMessage outboundMessage);

  /** Takes out the messages that this link will never confirm, in their order. */
  List<Outbox.OutboundMessage> takeUnconfirmed();

  /**
   * Declares a gateway's two queues.
   *
   * @return their names: of what must arrive, and of what a newer message replaces
   */
  List<String> declareAnswers(String robot) throws IOException;

  /** Begins to take what a gateway's queue delivers, as the only one who does. */
  void consume(String queue, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException;

  /** Begins to take the readings of all robots for a service. */
  void consumeReadings(
      String service, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException;

  /** Ends the subscriptions to some queues and deletes them. */
  void delete(List<String> queues) throws IOException;

  /** Deletes the queues of the readings for a service. */
  void deleteReadings(String service) throws IOException;

  /** Ends the connection without waiting for more than a moment. */
  void close();
}
