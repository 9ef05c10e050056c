package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs whose state takes long to encode have their checkpoints more rarely. */
class LargeStateTest extends NetworkTest {

  private final List<Reading> readings = Drive.readings(11, 12);
  private final UnreliableStore store = new UnreliableStore();

  @ParameterizedTest
  @CsvSource({"dataflow, false", "bsp, false", "dataflow, true", "bsp, true"})
  void aTaskEncodesForAFortiethOfTheTime(String mode, boolean isFull) {
    ServiceSettings settings = checkpointed(settings(2, "mode", mode), 1);
    Network network = network(1, settings, store);
    network.encodeFor(0.5);
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
}
