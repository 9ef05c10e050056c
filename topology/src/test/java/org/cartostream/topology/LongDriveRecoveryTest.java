package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A drive with more scans than a publisher keeps in memory: those on disk are in the checkpoints,
 * and a run that is restored ends with the same map.
 */
@Quick
class LongDriveRecoveryTest extends NetworkTest {

  private static final int BEAMS_FOR_EACH = 60;
  private static final int READINGS = 64;
  private static final int DIES_AFTER = 58;

  /** As of a laser with so many times the beams, which meet what the drive's do. */
  private static Reading dense(Reading reading) {
    Scan scan = reading.scan();
    float[] ranges = new float[scan.beams() * BEAMS_FOR_EACH];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = scan.ranges()[i / BEAMS_FOR_EACH];
    }
    Scan dense =
        new Scan(
            scan.mount(),
            scan.startAngle(),
            scan.angleStep() / BEAMS_FOR_EACH,
            scan.minRange(),
            scan.maxRange(),
            ranges);
    return new Reading(reading.stampNanos(), reading.odometry(), dense);
  }

  @InEachMode
  void goesOnToTheSameMap(String mode) throws Exception {
    List<Reading> readings = new ArrayList<>(Drive.readings(7, READINGS));
    readings.replaceAll(LongDriveRecoveryTest::dense);
    ServiceSettings settings =
        checkpointed(
            new ServiceSettings(
                Filters.restless(2),
                BrokerSettings.defaults(),
                settings(2, "mode", mode).topology()),
            1);
    MemoryStore store = new MemoryStore();
    Network network = network(1, settings, store);
    drive(network, readings, 1, DIES_AFTER);
    network.pass(2);
    List<CheckpointPart> parts =
        store.latest("r1-" + Long.toHexString(RUN), unusable -> {}).orElseThrow().parts();
    assertThat(parts).filteredOn(CheckpointPart::shared).isNotEmpty();

    network.loseAll();
    while (network.startOne()) {
      network.deliver(3);
    }
    driveToTheEnd(network, readings, DIES_AFTER + 1);

    assertUndisturbed(settings, readings);
  }
}
