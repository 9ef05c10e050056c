package org.cartostream.broker.connection;

import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.sensor.Refusal;

/** Receiver of the messages of a queue. Called by a thread of the connection, one at a time. */
public interface Receiver {

  /**
   * Is given nothing, so that every message will come again: for who only tries whether it may
   * receive.
   */
  Receiver NOBODY =
      new Receiver() {
        @Override
        public void received(Envelope envelope, Receipt receipt) {}

        @Override
        public void refused(Refusal.Reason why) {}
      };

  /**
   * Something has come, and is not decoded yet.
   *
   * @param robot whose it is by its routing key
   * @return false to have it deleted without another call
   */
  default boolean accepts(String robot, int bytes) {
    return true;
  }

  /**
   * A message has come. Until {@code receipt} is given the broker keeps it and, after an outage,
   * delivers it again.
   */
  void received(Envelope envelope, Receipt receipt);

  /** Something has come that is no message of ours. It is deleted from the queue already. */
  void refused(Refusal.Reason why);

  /** Acknowledgement of a message to the broker. */
  interface Receipt {

    /** Never blocks, never fails, from any thread; without effect after an outage or twice. */
    void acknowledge();

    /** True if the broker may have delivered the message before, to this receiver or another. */
    default boolean isRedelivered() {
      return false;
    }
  }
}
