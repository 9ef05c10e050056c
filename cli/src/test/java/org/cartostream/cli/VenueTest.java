package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Path;
import java.util.Collections;
import java.util.function.Function;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.cli.cluster.DeadCluster;
import org.cartostream.gateway.Pace;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that does not start, and what is said of it. */
class VenueTest {

  private static final RootSettings SETTINGS = Settings.defaults(RootSettings.class);

  @TempDir private Path folder;

  @Test
  void waitsForNoEndOfATopologyThatNimbusWasNeverAskedToTake() throws Exception {
    Venue venue =
        new ClusterVenue(DeadCluster.in(folder.resolve("dead")), SETTINGS.broker(), "robot");

    assertThatThrownBy(() -> venue.start(SETTINGS))
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith("Nimbus does not answer");

    assertThatCode(venue::stop).doesNotThrowAnyException();
  }

  @Test
  void saysWhyTheServiceDidNotStartAlthoughItsEndFailsToo() {
    StormEngine engine = new StormEngine(SETTINGS, Pace.MAX, "robot", Ill::new);
    Ledger ledger = new Ledger(0, System::nanoTime);

    Throwable told =
        catchThrowable(
            () -> engine.run(Collections.emptyIterator(), ledger, folder, new Interruption()));

    assertThat(told).hasMessage("Nimbus does not answer");
    assertThat(told.getSuppressed()).singleElement().asString().endsWith("is not gone");
  }

  /** Storm would take some ten seconds to start and to stop. */
  @Test
  void startsNoServiceOnceTheEndIsWished() throws Exception {
    Interruption interruption = new Interruption();
    Function<BrokerSettings, Venue> venues =
        broker -> {
          Venue venue = new Ill(broker);
          interruption.request(130);
          return venue;
        };
    StormEngine engine = new StormEngine(SETTINGS, Pace.MAX, "robot", venues);
    Ledger ledger = new Ledger(0, System::nanoTime);
    Engine.Cost cost = engine.run(Collections.emptyIterator(), ledger, folder, interruption);
    assertThat(cost.tasks()).isZero();
  }

  /** A broker that works, and a service that neither starts nor ends. */
  private record Ill(LocalVenue local) implements Venue {

    Ill(BrokerSettings broker) {
      this(LocalVenue.open(broker));
    }

    @Override
    public BrokerSettings operator() {
      return local.operator();
    }

    @Override
    public BrokerSettings robot() {
      return local.robot();
    }

    @Override
    public ZooKeeperAccess start(RootSettings settings) {
      throw Failure.failed("Nimbus does not answer");
    }

    @Override
    public void stop() {
      throw Failure.failed("the topology is not gone");
    }

    @Override
    public void close() {
      local.close();
    }
  }
}
