package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reading that takes long to match and to enter lets other robots' readings pass. */
class FairTurnsTest extends NetworkTest {

  private static final int PARTICLES = 200;
  private static final int BEAMS = 1081;

  /** In a room of 12 m by 8 m. */
  private static List<Reading> heavy(int count) {
    List<Reading> readings = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double ahead = 0.2 * i;
      float[] ranges = new float[BEAMS];
      for (int beam = 0; beam < BEAMS; beam++) {
        double angle = -2 + beam * 4.0 / BEAMS;
        double dx = Math.cos(angle);
        double wall = ((dx > 0 ? 6 : -6) - ahead) / dx;
        ranges[beam] = (float) Math.min(wall, 4 / Math.abs(Math.sin(angle)));
      }
      Scan scan = new Scan(Pose.ORIGIN, -2, 4.0 / BEAMS, 0.1, 20, ranges);
      readings.add(new Reading(i * 200_000_000L, new Pose(ahead, 0, 0), scan));
    }
    return readings;
  }

  private final List<Reading> heavy = heavy(4);
  private final List<Reading> light = Drive.readings(11, 4);

  private static ServiceSettings settings(String mode) {
    ServiceSettings few = settings(1, "mode", mode, "workAhead", "false");
    return new ServiceSettings(
        Filters.restless(PARTICLES), BrokerSettings.defaults(), few.topology());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dataflow", "bsp"})
  void anotherRobotIsAnsweredWhileALargeReadingIsMatchedAndEntered(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings);
    network.say(reading("r1", 1, heavy));
    network.say(reading("r2", 1, light));
    network.deliverAll();
    network.say(reading("r1", 2, heavy));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.KEY_FRAMES);
    assertThat(network.onItsWay(Streams.CONTINUE)).hasSize(1);

    network.say(reading("r2", 2, light));
    network.deliverAllFromRobots();
    for (Stream<?, ?, ?> each : ofAReading(mode)) {
      network.deliverAllOf(each);
    }
    assertThat(of("r2").answered()).isEqualTo(2);
    if (mode.equals("dataflow")) { // In bsp all that a task sends itself goes by one line here.
      assertThat(of("r1").answered()).isEqualTo(1);
    }

    network.deliverAll();
    assertThat(of("r1").answered()).isEqualTo(2);
    if (mode.equals("dataflow")) {
      assertAnotherIsAnsweredWhileEntering(network);
    }
    for (int sequence = mode.equals("dataflow") ? 4 : 3; sequence <= heavy.size(); sequence++) {
      network.say(reading("r1", sequence, heavy));
      network.say(reading("r2", sequence, light));
      network.deliverAll();
    }
    network.say(end("r1", heavy.size()));
    network.say(end("r2", light.size()));
    awaitReport(network, "r1");
    awaitReport(network, "r2");
    assertUndisturbed(settings, "r1", heavy);
    assertUndisturbed(settings, "r2", light);
  }

  /** Likewise while the third is entered into maps: it is matched, and the decision is there. */
  private void assertAnotherIsAnsweredWhileEntering(Network network) {
    network.say(reading("r1", 3, heavy));
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.KEY_FRAMES);
    while (network.onItsWay(Streams.WEIGHTS).isEmpty()) {
      network.deliverAllOf(Streams.CONTINUE);
    }
    network.deliverAllOf(Streams.WEIGHTS);
    network.deliverAllOf(Streams.RESAMPLING_DECISIONS);
    assertThat(network.onItsWay(Streams.CONTINUE)).hasSize(1);
    network.say(reading("r2", 3, light));
    network.deliverAllFromRobots();
    for (Stream<?, ?, ?> each : ofAReading("dataflow")) {
      network.deliverAllOf(each);
    }
    assertThat(of("r2").answered()).isEqualTo(3);
    assertThat(network.onItsWay(Streams.CONTINUE)).hasSize(1);
    network.deliverAll();
    assertThat(of("r1").answered()).isEqualTo(3);
  }

  /**
   * In dataflow, what a task sends to itself is not among them; in bsp, it goes by the same lines.
   */
  private static List<Stream<?, ?, ?>> ofAReading(String mode) {
    List<Stream<?, ?, ?>> streams =
        new ArrayList<>(
            List.of(
                Streams.KEY_FRAMES,
                Streams.WEIGHTS,
                Streams.RESAMPLING_DECISIONS,
                Streams.ADMITTED,
                Streams.RESAMPLING_RESULTS,
                Streams.READY,
                Streams.SERVED));
    if (mode.equals("bsp")) {
      streams.addAll(2, List.of(Streams.GATHERED, Streams.EXCHANGED));
    }
    return streams;
  }
}
