package org.cartostream.broker.connection;

import java.time.Duration;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerNames;

/**
 * Connection of a party, such as a gateway, to the broker; it outlives the broker's outages.
 *
 * <p>A published message goes into an outbox and stays there until the broker confirms it. After an
 * outage the connection opens itself again, declares all queues and exchanges, subscribes again and
 * sends again what was not confirmed, in order. So a message may arrive twice.
 */
public interface BrokerConnection extends AutoCloseable {

  /**
   * Opens a connection and declares queues and exchanges.
   *
   * @param settings settings with the broker's address
   * @param party name that the broker's own tools show: {@code gateway of robot-1}
   * @param listener learns of outages
   * @throws BrokerException if the settings name no broker, the broker is not there, refuses the
   *     credentials or the vhost, or TLS fails; the message is one sentence that says which
   */
  static BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
    BrokerAddress address;
    try {
      address = BrokerAddress.of(settings.uri(), System.getenv());
    } catch (IllegalArgumentException e) {
      throw new BrokerException(e.getMessage(), e);
    }
    return new ReconnectingConnection(
        address,
        settings,
        party,
        listener,
        (deliveries, outbox) -> AmqpLink.open(address, settings, party, deliveries, outbox));
  }

  /**
   * Sends a message by its {@link BrokerNames#route}. Never blocks; any thread may call it. A
   * message that the broker itself refuses, because its own limit is smaller or it denies the
   * message, is dropped with a warning in the log, although it was taken here. If the broker found
   * it too large, messages of at least that size are dropped until the next outage.
   *
   * @return false if the message was not taken, as the outbox is full or the connection is closed
   * @throws RefusedMessageException if the message is larger than allowed
   */
  boolean publish(Envelope envelope);

  /**
   * Waits until the broker has confirmed everything published so far; returns false if that takes
   * longer.
   */
  boolean flush(Duration atMost) throws InterruptedException;

  /**
   * Returns the number of published messages that are not confirmed yet, which the outbox bounds.
   */
  int unconfirmed();

  /**
   * Declares a gateway's two queues ({@link BrokerNames#certainQueue}, {@link
   * BrokerNames#latestQueue}), unless they came with its account, and subscribes to them as their
   * only consumer.
   *
   * @param robot robot whose answers are received
   * @param prefetch maximum number of unacknowledged messages of each queue
   * @throws BrokerException if the broker has these queues with other arguments, or denies them, or
   *     another gateway receives this robot's answers
   */
  void subscribeToAnswers(String robot, int prefetch, Receiver receiver);

  /**
   * Subscribes to the readings of all robots, which come by the service's {@link
   * BrokerNames#serviceQueue} or by queues of the robots.
   *
   * @param prefetch maximum number of unacknowledged messages of each queue
   * @throws BrokerException if the broker denies it
   */
  void subscribeToReadings(int prefetch, Receiver receiver);

  /** Returns true unless there is an outage. */
  boolean isUp();

  /**
   * Deletes a gateway's two queues, when nobody will read them any more; queues that came with an
   * account are emptied instead.
   */
  void deleteAnswerQueues(String robot);

  /** Deletes the service's queues of readings, when no robot will have that service any more. */
  void deleteReadingsQueue();

  /**
   * Ends the subscriptions and the connection; messages that are not confirmed by then are dropped.
   */
  @Override
  void close();
}
