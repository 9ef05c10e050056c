package org.cartostream.broker.connection;

/**
 * Receiver of notices about outages of the broker and their end. Called by the connection's own
 * thread: be quick.
 */
public interface BrokerListener {

  /** Listens to nothing. */
  BrokerListener NONE =
      new BrokerListener() {
        @Override
        public void onDown(String why) {}

        @Override
        public void onUp() {}
      };

  /**
   * The connection broke; it is being opened again. Called again for each other reason why it
   * cannot be opened, once in an outage: the password was changed, say.
   *
   * @param why one sentence
   */
  void onDown(String why);

  /** The connection is open again, queues are declared, subscriptions run. */
  void onUp();
}
