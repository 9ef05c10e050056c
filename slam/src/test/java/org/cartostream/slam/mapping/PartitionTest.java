package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntSupplier;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.transfer.ParticleMove;
import org.cartostream.slam.transfer.TaskLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionTest {

  private static final int PARTICLES = 12;

  /**
   * Resampling at nearly every step moves as many particles as possible; and after each none is
   * expected, so that something is done ahead of the next.
   */
  private static final FilterSettings SETTINGS = resampledBelow(0.9);

  private static FilterSettings resampledBelow(double share) {
    return Settings.build(
        FilterSettings.class,
        Map.of("particles", "" + PARTICLES, "resampleBelow", "" + share, "weightShare", "1"));
  }

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

  /**
   * Hands particles from one partition to another at random.
   *
   * @param pieces how many a partition does of what comes later before it is decided who goes on
   */
  private static PartitionedRun onTasks(
      FilterSettings settings, int tasks, int reach, List<Reading> log, IntSupplier pieces) {
    PartitionedRun run = new PartitionedRun(settings, tasks, reach);
    ReadingFilter readingFilter = new ReadingFilter(settings);
    Step next = taken(readingFilter.decide(0, log.get(0)));
    for (int k = 0; k < log.size(); k++) {
      Step step = next;
      next = k + 1 < log.size() ? taken(readingFilter.decide(k + 1, log.get(k + 1))) : null;
      run.keyFrame(step, next, pieces);
    }
    return run;
  }

  private static Step taken(ReadingFilter.Decision decision) {
    return ((ReadingFilter.Decision.Accept) decision).step();
  }

  /**
   * Nor on how particles go: by poses (however far), by tiles, or by either; nor on how much is
   * done before it is decided who goes on.
   */
  @ParameterizedTest
  @CsvSource({
    "1,512,0.9",
    "2,512,0.9",
    "5,512,0.9",
    "2,0,0.9",
    "5,0,0.9",
    "5,1,0.9",
    "5,3,0.9",
    "5,3,0.2",
    "2,512,0.2"
  })
  void pathAndMapDoNotDependOnWhichTaskHoldsAParticle(int tasks, int reach, double below) {
    FilterSettings settings = resampledBelow(below);
    List<Reading> log = drive(40);
    SerialFilter serial = new SerialFilter(settings, "robot");
    for (int k = 0; k < log.size(); k++) {
      serial.process(k, log.get(k));
    }

    Random random = new Random(tasks);
    List<PartitionedRun> spreads = new ArrayList<>();
    for (IntSupplier pieces :
        List.<IntSupplier>of(() -> 0, () -> random.nextInt(8), () -> Integer.MAX_VALUE)) {
      spreads.add(onTasks(settings, tasks, reach, log, pieces));
    }

    assertThat(serial.cost().resamplings()).isBetween(below < 0.5 ? 5L : 20L, 39L);
    for (PartitionedRun spread : spreads) {
      assertThat(spread.lineage().bestPath().path())
          .isEqualTo(serial.trajectoryTree().bestPath().path());
      assertThat(spread.lineage().bestPath().map().grid())
          .usingRecursiveComparison()
          .isEqualTo(serial.trajectoryTree().bestPath().map().grid());
      // Nor does what is sent depend on who was fast.
      assertThat(spread.bytes()).isEqualTo(spreads.get(0).bytes());
      assertThat(spread.moved()).isEqualTo(spreads.get(0).moved());
    }
    assertThat(spreads.get(0).moved() > 0).isEqualTo(tasks > 1 && reach < 512);
  }

  /** Against a run on one task that resamples to the same copies: every third is lost, or 11. */
  @ParameterizedTest
  @CsvSource({"1,512", "2,512", "5,512", "5,3", "2,0", "5,0"})
  void whatIsLeftGoesOnAlikeOnWhicheverTasksItIsRebornOn(int tasks, int reach) {
    List<Step> steps = new ArrayList<>();
    ReadingFilter readingFilter = new ReadingFilter(SETTINGS);
    for (Reading reading : drive(40)) {
      steps.add(taken(readingFilter.decide(steps.size(), reading)));
    }
    int[] third = {1, 1, 2, 4, 4, 5, 7, 7, 8, 1, 10, 11};
    int[] one = new int[PARTICLES];
    Arrays.fill(one, 6);

    for (int[] parents : new int[][] {third, one}) {
      PartitionedRun spread = new PartitionedRun(SETTINGS, tasks, reach);
      PartitionedRun serial = new PartitionedRun(SETTINGS, 1, 0);
      for (int k = 0; k < steps.size(); k++) {
        if (k == 15) {
          spread.keyFrameAndLoss(steps.get(k), parents);
          serial.keyFrameAndResampling(steps.get(k), parents);
        } else {
          spread.keyFrame(steps.get(k), null, () -> 0);
          serial.keyFrame(steps.get(k), null, () -> 0);
        }
      }

      assertThat(spread.lineage().bestPath().path())
          .hasSize(40)
          .isEqualTo(serial.lineage().bestPath().path());
      assertThat(spread.lineage().bestPath().map().grid())
          .usingRecursiveComparison()
          .isEqualTo(serial.lineage().bestPath().map().grid());
    }
  }

  @Test
  void followsTheTruePathThoughOdometryIsOff() {
    List<Reading> log = drive(63);
    SerialFilter filter = new SerialFilter(SETTINGS, "robot");
    for (int k = 0; k < log.size(); k++) {
      filter.process(k, log.get(k));
    }

    // The true circle has a radius of 2 m; odometry's is 4 cm wider, the start lies on both.
    List<PathPose> path = filter.trajectoryTree().bestPath().path();
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

    assertThat(one.trajectoryTree().bestPath().path())
        .isNotEqualTo(other.trajectoryTree().bestPath().path());
  }

  @Test
  void refusesToSendAParticleThatItDoesNotHold() {
    Partition partition =
        new Partition(SETTINGS, "robot", 0, new TaskLayout(2, 512), new int[] {0, 1});

    assertThatThrownBy(() -> partition.send(new ParticleMove(7, 0, 1, new int[] {7})))
        .hasMessageContaining("particle 7 is not at task 0");
  }
}
