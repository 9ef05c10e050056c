package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.RingDrive;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A robot comes round a corridor and is corrected while tasks of the service die: it is told what
 * the serial filter tells, and its map follows.
 */
@Nightly(computes = true)
class CorrectionsAccuracyTest extends NetworkTest {

  private static final double SEES = 1.5;
  private static final int TASKS = 2;

  private static final FilterSettings FILTER =
      Settings.build(
          FilterSettings.class, Map.of("particles", "2", "seed", "7", "loops.delayReadings", "3"));

  /** Half a metre apart, with poor odometry that turns too far, and a laser that sees little. */
  private static List<Reading> ring() {
    Random random = new Random(5);
    Room room = RingDrive.ring();
    List<Reading> readings = new ArrayList<>();
    Pose odometry = Pose.ORIGIN;
    Pose before = null;
    for (Pose truth : RingDrive.rounds(1.8)) {
      if (before != null) {
        Pose motion = before.to(truth);
        double metres = Pose.ORIGIN.distance(motion);
        if (metres < 0.49 && Math.abs(motion.theta()) < 0.5) {
          continue;
        }
        odometry =
            odometry.then(
                new Pose(
                    motion.x() * (1 + 0.2 * random.nextGaussian()),
                    motion.y() + 0.02 * random.nextGaussian(),
                    motion.theta() + 0.1 * metres + 0.06 * random.nextGaussian()));
      }
      before = truth;
      readings.add(
          new Reading(readings.size() * 200_000_000L, odometry, scan(room, truth, random)));
    }
    return readings;
  }

  private static Scan scan(Room room, Pose truth, Random random) {
    Scan all = room.scan(truth, Room.Laser.ahead(91));
    float[] ranges = all.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      boolean isSeen = ranges[i] <= SEES;
      ranges[i] = (float) (isSeen ? ranges[i] + 0.01 * random.nextGaussian() : SEES + 1);
    }
    return new Scan(
        all.mount(), all.startAngle(), all.angleStep(), all.minRange(), (float) SEES, ranges);
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 2", "bsp, 1", "bsp, 2"})
  void whatIsToldWhileTasksDieIsWhatTheSerialFilterTells(String mode, long seed) {
    ServiceSettings service = checkpointed(settings(TASKS, "mode", mode), 2);
    ServiceSettings settings =
        new ServiceSettings(
            FILTER,
            Settings.defaults(LocalisationSettings.class),
            BrokerSettings.defaults(),
            service.topology(),
            service.registry(),
            service.checkpoint());
    List<Reading> readings = ring();
    Random random = new Random(seed);
    Network network = network(seed, settings);
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      network.send(reading("r1", sequence, readings));
      // The last round, in which there are searches, redraws and corrections.
      if (sequence > readings.size() / 2 && random.nextInt(8) == 0) {
        network.deliver(random.nextInt(30));
        network.killSome();
      }
      int answered = sequence;
      stepUntil(
          () -> of("r1").answered() >= answered,
          () -> {
            network.startOne();
            network.pass(1);
          });
    }
    finish(network, "r1", readings.size());

    assertUndisturbed(settings, readings);
    assertThat(corrections()).isPositive();
    assertThat(mapCorrections()).isEqualTo(corrections());
    assertLoopsAreThoseOfTheSerialFilter(readings);
  }

  /** After a restore they may be told again, at a later reading. */
  private void assertLoopsAreThoseOfTheSerialFilter(List<Reading> readings) {
    SerialFilter filter = new SerialFilter(FILTER, "r1");
    List<List<ClosedLoop>> after = new ArrayList<>(List.of(List.of()));
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      filter.process(sequence, readings.get(sequence - 1));
      after.add(filter.trajectoryTree().loops());
    }
    List<Envelope> all =
        of("r1").all().stream().filter(each -> each.body() instanceof LoopsMessage).toList();
    List<Envelope> told = all.subList(0, all.size() - 1);
    List<ClosedLoop> atTheEnd = ((LoopsMessage) all.get(all.size() - 1).body()).loops();
    assertThat(atTheEnd)
        .isEqualTo(filter.trajectoryTree().bestPath().withLoopsClosed().loops())
        .hasSize((int) of("r1").report().loops().loops());
    assertThat(told)
        .allSatisfy(
            each ->
                assertThat(((LoopsMessage) each.body()).loops())
                    .isEqualTo(after.get((int) each.sequence())));
    assertThat(told)
        .extracting(each -> ((LoopsMessage) each.body()).loops())
        .containsAll(after.stream().filter(loops -> !loops.isEmpty()).toList());
  }

  /** Number of the latest correction that an outcome told. */
  private int corrections() {
    return of("r1").all().stream()
        .filter(envelope -> envelope.body() instanceof OutcomeMessage)
        .map(envelope -> ((OutcomeMessage) envelope.body()).outcome())
        .filter(Outcome.Processed.class::isInstance)
        .mapToInt(outcome -> ((Outcome.Processed) outcome).pose().correction().number())
        .max()
        .orElseThrow();
  }

  /** Number of the latest correction that a map on the way shows. */
  private int mapCorrections() {
    return of("r1").all().stream()
        .filter(envelope -> envelope.body() instanceof MapMessage)
        .mapToInt(envelope -> ((MapMessage) envelope.body()).correction())
        .max()
        .orElseThrow();
  }
}
