package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;

/** A reading that takes long to match and to enter lets other robots' readings pass. */
@Quick
class FairTurnsTest extends NetworkTest {

  private static final int PARTICLES = 200;
  private static final int BEAMS = 1081;

  /** It is matched, it is decided who leaves, and it is entered. */
  private static final int TURNS = 3;

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
  private final List<Reading> light = Drive.readings(11, 8);

  private static ServiceSettings settings(String mode) {
    ServiceSettings few =
        settings(1, "mode", mode, "workAhead", "false", "mapIntervalSeconds", "60");
    return new ServiceSettings(
        Filters.restless(PARTICLES), BrokerSettings.defaults(), few.topology());
  }

  /**
   * Another thread matches a large reading, packs what leaves, and enters it into maps: while it
   * does either, another robot has the answer to its next reading.
   */
  @InEachMode
  void anotherRobotIsAnsweredWhileALargeReadingIsMatchedAndEntered(String mode) {
    ServiceSettings settings = settings(mode);
    Network network = network(1, settings);
    network.send(reading("r1", 1, heavy));
    network.send(reading("r2", 1, light));
    network.deliverAll();
    network.send(reading("r1", 2, heavy));
    network.offloads.hold(true);
    network.deliverAll();
    int sequence = 1;
    while (of("r1").answered() < 2) {
      assertThat(network.offloads.waiting()).isEqualTo(1);
      sequence++;
      network.send(reading("r2", sequence, light));
      network.deliverAll();
      assertThat(of("r2").answered()).isEqualTo(sequence);
      network.offloads.finish();
      network.deliverAll();
    }
    assertThat(sequence - 1).as("turns").isEqualTo(TURNS);

    network.offloads.hold(false);
    for (int next = 3; next <= heavy.size(); next++) {
      network.send(reading("r1", next, heavy));
      network.deliverAll();
    }
    network.send(end("r1", heavy.size()));
    network.send(end("r2", sequence));
    awaitReport(network, "r1");
    awaitReport(network, "r2");
    assertUndisturbed(settings, "r1", heavy);
    assertUndisturbed(settings, "r2", light.subList(0, sequence));
  }
}
