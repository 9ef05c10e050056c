package org.cartostream.gateway.replay;

import static org.cartostream.gateway.TestBroker.soon;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.gateway.ManualClock;
import org.cartostream.testing.Quick;

@Quick
class LogGatewayRestartTest extends LogGatewayRestartContract {

  /** Longer than the replay's loop sleeps: it has sent all it may. */
  private static final Duration LOOP = Duration.ofMillis(250);

  private final InMemoryBroker broker = new InMemoryBroker();
  private final ManualClock clock = new ManualClock();

  @Override
  BrokerConnection open(String party, BrokerListener listener) {
    return broker.open(party, listener);
  }

  @Override
  void stopBroker() {
    broker.stop();
  }

  @Override
  void startBroker() {
    broker.start();
  }

  @Override
  String host() {
    return "in-memory";
  }

  @Override
  ManualClock clock() {
    return clock;
  }

  @Override
  void letTimePass(CompletableFuture<Void> over) {
    soon()
        .pollDelay(LOOP)
        .pollInterval(LOOP)
        .until(
            () -> {
              clock.advanceSeconds(IMPATIENT_SECONDS + 1);
              return over.isDone();
            });
  }
}
