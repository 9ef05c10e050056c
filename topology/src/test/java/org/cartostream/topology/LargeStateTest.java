package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose states are large: they take long to encode, and memory until they are written. */
@Quick
class LargeStateTest extends NetworkTest {

  private final List<Reading> readings = Drive.readings(11, 12);
  private final UnreliableStore store = new UnreliableStore();

  @ParameterizedTest
  @CsvSource({"dataflow, false", "bsp, false", "dataflow, true", "bsp, true"})
  void aTaskEncodesForAFortiethOfTheTime(String mode, boolean isFull) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network network = network(1, settings, store);
    network.clock.encodeFor(0.5);
    drive(network, readings, 1, 1);
    network.pass(3);
    assertThat(store.latestReading("r1")).isOne();
    assertThat(network.encodings()).isEqualTo(1);
    store.fullFor(isFull ? "r1" : null);

    drive(network, readings, 2, 2);
    network.pass(15);
    assertThat(network.encodings()).isEqualTo(1);
    network.pass(5);
    assertThat(network.encodings()).isEqualTo(2);

    network.pass(15);
    drive(network, readings, 3, 3);
    assertThat(network.encodings()).isEqualTo(2);
    network.pass(5);
    assertThat(network.encodings()).isEqualTo(3);
    assertThat(store.latestReading("r1")).isEqualTo(isFull ? 1 : 3);
  }

  /** What each takes is known from its checkpoint, so the second waits for the first. */
  @InEachMode
  void aTaskThatWasStartedAgainKnowsWhatTheStatesTake(String mode) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network network = network(1, settings, store);
    driveBoth(network, 1);
    network.pass(3);
    assertThat(store.latestReading("r1")).isOne();
    assertThat(store.latestReading("r2")).isOne();
    List<Run> refused = new ArrayList<>();
    network.fault =
        (task, stream, payload) -> {
          if (payload instanceof Payload.Stored part
              && part.failure().startsWith("matchers-0: 0 MB of other states are still")) {
            refused.add(part.run());
          }
          return false;
        };
    network.encodeWithin(1);
    network.restartMatcher(0);
    long epoch = Math.max(network.run("r1").epoch(), network.run("r2").epoch());
    passUntil(
        network, () -> Math.min(network.run("r1").epoch(), network.run("r2").epoch()) > epoch);
    network.pass(1);
    network.writings.hold(true);
    driveBoth(network, 2);
    network.pass(3);

    assertThat(refused).isNotEmpty();
    assertThat(refused.stream().map(Run::robot).distinct()).hasSize(1);
    network.writings.hold(false);
    network.pass(3);
    assertThat(store.latestReading("r1")).isEqualTo(2);
    assertThat(store.latestReading("r2")).isEqualTo(2);
  }

  private void driveBoth(Network network, int sequence) {
    for (String robot : List.of("r1", "r2")) {
      drive(network, robot, readings, sequence, sequence);
    }
  }
}
