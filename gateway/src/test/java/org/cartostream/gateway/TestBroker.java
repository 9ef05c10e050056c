package org.cartostream.gateway;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.InMemoryBroker;

/** A broker as tests use it, in memory or a server: with connections that can be cut. */
public interface TestBroker extends AutoCloseable {

  Duration SOON = Duration.ofSeconds(30);

  /** Waits for what comes soon, and looks often. */
  static ConditionFactory soon() {
    return await().atMost(SOON).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  /** How to reach it. */
  BrokerSettings settings();

  /** Opens a party's connection. */
  BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener);

  default BrokerConnection open(String party, BrokerListener listener) {
    return open(settings(), party, listener);
  }

  /** Breaks a party's connections; it may open them again at once. */
  void cut(String party);

  /** Breaks a party's connections, and it gets none until {@link #mend}. */
  void takeDown(String party);

  void mend(String party);

  /** Messages in a queue that nobody has been given. */
  int ready(String queue);

  @Override
  void close();

  /** A broker without a server. */
  static TestBroker of(InMemoryBroker broker) {
    return new TestBroker() {
      @Override
      public BrokerSettings settings() {
        return InMemoryBroker.settings();
      }

      @Override
      public BrokerConnection open(BrokerSettings settings, String party, BrokerListener listener) {
        return broker.open(settings, party, listener);
      }

      @Override
      public void cut(String party) {
        broker.cut(party);
      }

      @Override
      public void takeDown(String party) {
        broker.takeDown(party);
      }

      @Override
      public void mend(String party) {
        broker.mend(party);
      }

      @Override
      public int ready(String queue) {
        return broker.ready(queue);
      }

      @Override
      public void close() {}
    };
  }
}
