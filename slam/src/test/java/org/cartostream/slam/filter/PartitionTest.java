package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionTest {

  private static final int PARTICLES = 12;
  private static final FilterSettings SETTINGS =
      Settings.build(
          FilterSettings.class,
          // Resampling at nearly every step moves as many particles as possible.
          Map.of("particles", "" + PARTICLES, "resampleBelow", "1", "weightShare", "1"));

  /** A drive through a square room of 8 m with a pillar, ranges by ray casting. */
  static List<Reading> drive(int readings) {
    List<Reading> log = new ArrayList<>();
    Random noise = new Random(3);
    for (int k = 0; k < readings; k++) {
      double angle = 0.1 * k;
      Pose truth =
          new Pose(2 * Math.cos(angle), 2 * Math.sin(angle), Pose.wrap(angle + Math.PI / 2));
      float[] ranges = new float[90];
      for (int i = 0; i < ranges.length; i++) {
        double beam = truth.theta() - Math.PI / 2 + i * Math.PI / 90;
        ranges[i] = (float) (range(truth, beam) + 0.01 * noise.nextGaussian());
      }
      Pose slipped = new Pose(1.02 * truth.x(), 1.02 * truth.y(), truth.theta());
      Scan scan = new Scan(Pose.ORIGIN, -Math.PI / 2, Math.PI / 90, 0.1, 30, ranges);
      log.add(new Reading(k, slipped, scan));
    }
    return log;
  }

  private static double range(Pose from, double beam) {
    double dx = Math.cos(beam);
    double dy = Math.sin(beam);
    double wallX = ((dx > 0 ? 4 : -4) - from.x()) / dx;
    double wallY = ((dy > 0 ? 4 : -4) - from.y()) / dy;
    double wall = Math.min(wallX > 0 ? wallX : 1e9, wallY > 0 ? wallY : 1e9);
    // A pillar of 0.5 m radius at the origin: |from + t d| = 0.5.
    double b = from.x() * dx + from.y() * dy;
    double c = from.x() * from.x() + from.y() * from.y() - 0.25;
    double root = b * b - c;
    double pillar = root > 0 ? -b - Math.sqrt(root) : -1;
    return pillar > 0 ? Math.min(wall, pillar) : wall;
  }

  /** Runs the filter on several partitions, handing particles from one to another at random. */
  private static Lineage onTasks(int tasks, int reach, List<Reading> log) {
    Team team = new Team(tasks, reach);
    Random random = new Random(tasks);
    int[] owner = IntStream.range(0, PARTICLES).map(i -> i % tasks).toArray();
    List<Partition> partitions = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      int number = task;
      int[] mine = IntStream.range(0, PARTICLES).filter(i -> i % tasks == number).toArray();
      partitions.add(new Partition(SETTINGS, "robot", task, team, mine));
    }
    Intake intake = new Intake(SETTINGS);
    Resampler resampler = new Resampler(SETTINGS, "robot");
    Lineage lineage = new Lineage(SETTINGS);
    Ancestry ancestry = new Ancestry(PARTICLES, team);
    for (int k = 0; k < log.size(); k++) {
      Step step = ((Intake.Decision.Take) intake.decide(k, log.get(k))).step();
      Beliefs all =
          Beliefs.merge(PARTICLES, partitions.stream().map(part -> part.match(step)).toList());
      Resampling resampling = resampler.resample(all);
      int[] after =
          resampling.resampled()
              ? Arrays.stream(owner).map(task -> random.nextInt(tasks)).toArray()
              : owner;
      List<Move> moves =
          Move.between(resampling.parents(), owner, after).stream()
              .map(ancestry::prepared)
              .toList();
      ancestry.advance(resampling, after);
      List<Parcel> parcels =
          moves.stream().map(move -> partitions.get(move.from()).send(move)).toList();
      partitions.forEach(partition -> partition.resample(resampling, after));
      for (int task = 0; task < tasks; task++) {
        int to = task;
        partitions
            .get(task)
            .receive(
                IntStream.range(0, moves.size())
                    .filter(i -> moves.get(i).to() == to)
                    .mapToObj(parcels::get)
                    .toList());
      }
      partitions.forEach(partition -> partition.register(step));
      lineage.keyFrame(step, all, resampling);
      owner = after;
    }
    return lineage;
  }

  /** Nor on how particles go: by poses (however far), by tiles, or by either. */
  @ParameterizedTest
  @CsvSource({"1,512", "2,512", "5,512", "2,0", "5,0", "5,1", "5,3"})
  void pathAndMapDoNotDependOnWhichTaskHoldsAParticle(int tasks, int reach) {
    List<Reading> log = drive(40);
    SerialFilter serial = new SerialFilter(SETTINGS, "robot");
    for (int k = 0; k < log.size(); k++) {
      serial.process(k, log.get(k));
    }

    Lineage spread = onTasks(tasks, reach, log);

    assertThat(serial.cost().resamplings()).isGreaterThan(20);
    assertThat(spread.bestPath()).isEqualTo(serial.lineage().bestPath());
    assertThat(spread.map()).usingRecursiveComparison().isEqualTo(serial.lineage().map());
  }

  @Test
  void followsTheTruePathThoughOdometryIsOff() {
    List<Reading> log = drive(63);
    SerialFilter filter = new SerialFilter(SETTINGS, "robot");
    for (int k = 0; k < log.size(); k++) {
      filter.process(k, log.get(k));
    }

    // The true circle has a radius of 2 m; odometry's is 4 cm wider, the start lies on both.
    List<PathPose> path = filter.lineage().bestPath();
    Pose half = path.get(31).pose();
    Pose start = path.get(0).pose();
    assertThat(start.distance(half)).isBetween(3.97, 4.03);
    assertThat(start.distance(path.get(62).pose())).isLessThan(0.2);
  }

  @Test
  void anotherSeedGivesAnotherPath() {
    List<Reading> log = drive(10);
    Map<String, String> values = Settings.values(SETTINGS);
    values.put("seed", "2");
    SerialFilter one = new SerialFilter(SETTINGS, "robot");
    SerialFilter other = new SerialFilter(Settings.build(FilterSettings.class, values), "robot");
    for (int k = 0; k < log.size(); k++) {
      one.process(k, log.get(k));
      other.process(k, log.get(k));
    }

    assertThat(one.lineage().bestPath()).isNotEqualTo(other.lineage().bestPath());
  }

  @Test
  void refusesToSendAParticleThatItDoesNotHold() {
    Partition partition = new Partition(SETTINGS, "robot", 0, new Team(2, 512), new int[] {0, 1});

    assertThatThrownBy(() -> partition.send(new Move(7, 0, 1, new int[] {7})))
        .hasMessageContaining("particle 7 is not at task 0");
  }
}
