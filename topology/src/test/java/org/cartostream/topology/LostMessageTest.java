package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A link is cut for a moment and nobody dies: what was on its way of one stream is lost. The robot
 * asks again for what it is not told, as a gateway does.
 */
@Quick
class LostMessageTest extends NetworkTest {

  private static final int READINGS = 8;
  private static final int LOST = 4;
  private static final int ASKS_AGAIN_AFTER_SECONDS = 10;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  static List<Stream<?, ?, ?>> streams() throws IllegalAccessException {
    return ScanTopologyTest.streams().stream()
        .filter(stream -> !stream.sources().equals(stream.targets())) // A task's to itself.
        .toList();
  }

  @ParameterizedTest
  @MethodSource("streams")
  void changesNothing(Stream<?, ?, ?> stream) {
    ServiceSettings settings = checkpointed(settings(2, "readingTimeoutSeconds", "5"), 2);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= READINGS; sequence++) {
      send(network, readings, sequence, sequence);
      if (sequence == LOST) {
        loseOneRoundOf(network, stream);
      }
      answered(network, sequence);
    }
    for (int times = 0; of("r1").report() == null; times++) {
      assertThat(times).isLessThan(50);
      network.send(end("r1", READINGS));
      network.pass(ASKS_AGAIN_AFTER_SECONDS);
    }
    assertUndisturbed(settings, readings);
  }

  private static void loseOneRoundOf(Network network, Stream<?, ?, ?> stream) {
    boolean lost = false;
    for (int times = 0; times < 500 && !lost; times++) {
      network.deliverOneOrTick();
      lost = network.lose(stream);
    }
  }

  private void answered(Network network, int sequence) {
    network.deliverAll();
    for (int times = 0; of("r1").answered() < sequence; times++) {
      assertThat(times).as("reading " + sequence).isLessThan(50);
      network.pass(ASKS_AGAIN_AFTER_SECONDS);
      send(network, readings, of("r1").answered() + 1, sequence);
      network.deliverAll();
    }
  }
}
