package org.cartostream.broker.connection;

/**
 * Receiver of notices about outages of the broker and their end. Called by the connection's own
 * thread, so its methods must return at once.
 */
public interface BrokerListener {

  /** Listener that does nothing. */
  BrokerListener NONE =
      new BrokerListener() {
        @Override
        public void onDown(String why) {}

        @Override
        public void onUp() {}
      };

  /**
   * Tells that the connection broke, and is being opened again. Called again, once in an outage,
   * for each further reason why it cannot be opened, such as a changed password.
   *
   * @param why one sentence
   */
  void onDown(String why);

  /** Tells that the connection is open again, with queues declared and subscriptions running. */
  void onUp();
}
