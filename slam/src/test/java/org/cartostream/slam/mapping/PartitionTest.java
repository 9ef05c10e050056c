package org.cartostream.slam.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class PartitionTest {

  private static final int PARTICLES = 12;
  private static final int READINGS = 24;

  /**
   * Resampling at nearly every step moves as many particles as possible; and after each none is
   * expected, so that something is done ahead of the next.
   */
  private static final FilterSettings SETTINGS = resampledBelow(0.9);

  /** By the share below which they resample. */
  private static final Map<Double, SerialFilter> SERIAL = new ConcurrentHashMap<>();

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

  /** The drive's key frames, which are the same for any particles. */
  private static final List<Step> STEPS = steps(drive(READINGS));

  private static List<Step> steps(List<Reading> log) {
    ReadingFilter readingFilter = new ReadingFilter(SETTINGS);
    List<Step> steps = new ArrayList<>();
    for (Reading reading : log) {
      steps.add(taken(readingFilter.decide(steps.size(), reading)));
    }
    return steps;
  }

  private static SerialFilter serial(FilterSettings settings, List<Reading> log) {
    SerialFilter filter = new SerialFilter(settings, "robot");
    for (int k = 0; k < log.size(); k++) {
      filter.process(k, log.get(k));
    }
    return filter;
  }

  /**
   * Hands particles from one partition to another at random.
   *
   * @param pieces how many a partition does of what comes later before it is decided who goes on
   */
  private static PartitionedRun onTasks(
      FilterSettings settings, int tasks, int reach, IntSupplier pieces) {
    PartitionedRun run = new PartitionedRun(settings, tasks, reach);
    for (int k = 0; k < STEPS.size(); k++) {
      run.keyFrame(STEPS.get(k), k + 1 < STEPS.size() ? STEPS.get(k + 1) : null, pieces);
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
    SerialFilter serial =
        SERIAL.computeIfAbsent(below, share -> serial(resampledBelow(share), drive(READINGS)));
    Random random = new Random(tasks);
    List<PartitionedRun> spreads = new ArrayList<>();
    for (IntSupplier pieces :
        List.<IntSupplier>of(() -> 0, () -> random.nextInt(8), () -> Integer.MAX_VALUE)) {
      spreads.add(onTasks(settings, tasks, reach, pieces));
    }

    assertThat(serial.cost().resamplings()).isBetween(below < 0.5 ? 3L : 12L, READINGS - 1L);
    for (PartitionedRun spread : spreads) {
      assertSame(spread.trajectoryTree(), serial.trajectoryTree());
      // Nor does what is sent depend on who was fast.
      assertThat(spread.bytes()).isEqualTo(spreads.get(0).bytes());
      assertThat(spread.moved()).isEqualTo(spreads.get(0).moved());
    }
    assertThat(spreads.get(0).moved() > 0).isEqualTo(tasks > 1 && reach < 512);
  }

  /** Nor on whether other tasks share them from some moment on: more, as many, or fewer. */
  @ParameterizedTest
  @CsvSource({"1,4,512", "4,1,512", "2,5,3", "5,2,0", "3,3,512"})
  void pathAndMapDoNotDependOnHowManyTasksGoOn(int tasks, int later, int reach) {
    SerialFilter serial =
        SERIAL.computeIfAbsent(0.9, share -> serial(resampledBelow(share), drive(READINGS)));
    PartitionedRun run = new PartitionedRun(resampledBelow(0.9), tasks, reach);
    for (int k = 0; k < STEPS.size(); k++) {
      if (k == 9) {
        run.shareAmong(later);
      }
      run.keyFrame(STEPS.get(k), null, () -> 0);
    }

    assertSame(run.trajectoryTree(), serial.trajectoryTree());
  }

  /** Nor if there are more or fewer of them after each resampling. */
  @ParameterizedTest
  @CsvSource({"1,512", "2,512", "4,0", "5,3"})
  void asManyAsTheirSpreadNeedsDoNotDependOnTasksEither(int tasks, int reach) {
    Map<String, String> values = Settings.values(SETTINGS);
    values.putAll(
        Map.of(
            "adaptive.minParticles", "3",
            "adaptive.kldError", "1",
            "adaptive.binMetres", "0.02"));
    FilterSettings settings = Settings.build(FilterSettings.class, values);
    SerialFilter serial = serial(settings, drive(READINGS));
    PartitionedRun run = new PartitionedRun(settings, tasks, reach);
    Random random = new Random(tasks);
    for (int k = 0; k < STEPS.size(); k++) {
      if (k == 9) {
        run.shareAmong(tasks + 1);
      }
      Step next = k + 1 < STEPS.size() && k != 8 ? STEPS.get(k + 1) : null;
      run.keyFrame(STEPS.get(k), next, () -> random.nextInt(8));
    }

    assertSame(run.trajectoryTree(), serial.trajectoryTree());
    assertThat(run.numbers()).hasSizeGreaterThan(3).allMatch(each -> each >= 3 && each <= 12);
    assertThat(serial.partition().particles())
        .isEqualTo(IntStream.range(0, serial.partition().size()).boxed().toList());
  }

  /** A recursive comparison would look at each cell by reflection. */
  private static void assertSame(TrajectoryTree tree, TrajectoryTree expected) {
    assertThat(tree.bestPath().path()).isEqualTo(expected.bestPath().path());
    OccupancyGrid map = tree.bestPath().map().grid();
    OccupancyGrid expectedMap = expected.bestPath().map().grid();
    assertThat(map.cells()).isEqualTo(expectedMap.cells());
    assertThat(map).usingRecursiveComparison().ignoringFields("cells").isEqualTo(expectedMap);
  }

  @Test
  void followsTheTruePathThoughOdometryIsOff() {
    SerialFilter filter = serial(SETTINGS, drive(63));

    // The true circle has a radius of 2 m; odometry's is 4 cm wider, the start lies on both. By
    // seed the path is off by 1.3 cm half round.
    List<PathPose> path = filter.trajectoryTree().bestPath().path();
    Pose half = path.get(31).pose();
    Pose start = path.get(0).pose();
    assertThat(start.distance(half)).isBetween(3.96, 4.04);
    assertThat(start.distance(path.get(62).pose())).isLessThan(0.2);
  }

  @Test
  void anotherSeedGivesAnotherPath() {
    List<Reading> log = drive(10);
    Map<String, String> values = Settings.values(SETTINGS);
    values.put("seed", "2");
    SerialFilter one = serial(SETTINGS, log);
    SerialFilter other = serial(Settings.build(FilterSettings.class, values), log);

    assertThat(one.trajectoryTree().bestPath().path())
        .isNotEqualTo(other.trajectoryTree().bestPath().path());
  }

  @Test
  void refusesToSendAParticleThatItDoesNotHold() {
    Partition<ParticleMap> partition =
        MappingFilters.partition(SETTINGS, "robot", 0, new TaskLayout(2, 512), new int[] {0, 1});

    assertThatThrownBy(
            () ->
                partition.send(
                    new ParticleMove(7, 0, 1, new int[] {7}, ParticleMove.NO_ANCESTOR, 0)))
        .hasMessageContaining("particle 7 is not at task 0");
  }
}
