package org.cartostream.broker.connection;

import java.time.Duration;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.names.BrokerNames;

/**
 * A party's connection to the broker, which outlives the broker's outages.
 *
 * <p>What is published goes into an outbox and stays there until the broker confirms it; after an
 * outage the connection opens itself again, declares all names, subscribes again and sends again
 * what was not confirmed, in order. So a message may arrive twice, see the package's rules.
 */
public interface BrokerConnection extends AutoCloseable {

  /**
   * Opens a connection and declares the names.
   *
   * @param settings with the broker's address
   * @param party the name shown by the broker's own tools: {@code gateway of robot-1}
   * @param listener learns of outages
   * @throws BrokerException if the settings name no broker, the broker is not there, refuses the
   *     credentials or the vhost, or TLS fails: one sentence that names which
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
   * Sends a message the way of {@link BrokerNames#route}. Never blocks, from any thread. A message
   * that the broker itself refuses, because its own limit is smaller or it denies it, is dropped
   * with a warning in the log, though it was taken here; so is one that is no smaller, until the
   * next outage.
   *
   * @return false if the outbox is full or the connection closed, and the message was not taken
   * @throws RefusedMessageException if it is larger than allowed
   */
  boolean publish(Envelope envelope);

  /** Waits until the broker has confirmed everything published so far; false if it takes longer. */
  boolean flush(Duration atMost) throws InterruptedException;

  /** Returns how many messages were published and are not confirmed yet; the outbox bounds them. */
  int unconfirmed();

  /**
   * Declares a gateway's two queues ({@link BrokerNames#certainQueue}, {@link
   * BrokerNames#latestQueue}), unless they came with its account, and takes what comes, as the only
   * one who does.
   *
   * @param robot whose answers
   * @param prefetch most messages of each queue delivered without receipt
   * @throws BrokerException if the broker has these queues with other arguments, or denies them, or
   *     another gateway takes this robot's answers
   */
  void subscribeToAnswers(String robot, int prefetch, Receiver receiver);

  /**
   * Takes the readings of all robots from the service's {@link BrokerNames#serviceQueue}.
   *
   * @param prefetch most messages delivered without receipt
   * @throws BrokerException if the broker denies it
   */
  void subscribeToReadings(int prefetch, Receiver receiver);

  /** True unless there is an outage. */
  boolean isUp();

  /**
   * Deletes a gateway's two queues, when nobody will read them any more; empties them where they
   * are the account's.
   */
  void deleteAnswerQueues(String robot);

  /** Deletes the service's queue of readings, when no robot will have that service any more. */
  void deleteReadingsQueue();

  /** Stops the subscriptions and the connection; what is not confirmed by then is dropped. */
  @Override
  void close();
}
