package org.cartostream.broker.connection;

import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.sensor.Refusal;

/**
 * Receiver of the messages of a queue. Called by a thread of the connection, one message at a time.
 */
public interface Receiver {

  /**
   * Receiver to which nothing is handed, so that the broker delivers every message again: to try
   * only whether one may subscribe.
   */
  Receiver NOBODY =
      new Receiver() {
        @Override
        public void received(Envelope envelope, Receipt receipt) {}

        @Override
        public void refused(Refusal.Reason why) {}
      };

  /**
   * Decides on a message before it is decoded.
   *
   * @param robot robot in the routing key
   * @param bytes size of the whole message
   * @return false to have the message deleted without another call
   */
  default boolean accepts(String robot, int bytes) {
    return true;
  }

  /**
   * Takes a message. Until {@code receipt} is given the broker keeps the message and, after an
   * outage, delivers it again.
   */
  void received(Envelope envelope, Receipt receipt);

  /**
   * Notes that a message was dropped for its size, or for want of room.
   *
   * @param answer to whoever sent it, with a {@link org.cartostream.broker.message.DroppedMessage}
   */
  default void dropped(Envelope answer) {}

  /** Notes something that is no message of Cartostream. It is deleted from the queue already. */
  void refused(Refusal.Reason why);

  /** Acknowledgement of a message to the broker. */
  interface Receipt {

    /**
     * Acknowledges the message. Never blocks or fails, may be called by any thread; has no effect
     * after an outage or twice.
     */
    void acknowledge();

    /**
     * Returns true if the broker may have delivered the message before, to this receiver or
     * another.
     */
    default boolean isRedelivered() {
      return false;
    }
  }
}
