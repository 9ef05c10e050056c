package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TrajectoryTreeTest {

  private static final int PARTICLES = 5;
  private static final FilterSettings SETTINGS =
      Settings.build(
          FilterSettings.class, Map.of("particles", "" + PARTICLES, "maxShiftMetres", "1000"));

  private static Scan scan(Random random) {
    float[] ranges = new float[8];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = 0.5f + 3 * random.nextFloat();
    }
    return new Scan(new Pose(0.1, 0, 0), -Math.PI, Math.PI / 4, 0.01, 3.2, ranges);
  }

  private static Pose pose(Random random) {
    return new Pose(random.nextDouble(), random.nextDouble(), random.nextDouble());
  }

  /**
   * A twin that keeps every particle's whole path and every scan. Particles that are copies of one
   * another have one list.
   */
  private static final class Twin {
    final List<List<PathPose>> paths = new ArrayList<>();
    final List<Step> keyFrames = new ArrayList<>();

    /** Where each key frame stands in a path. */
    final List<Integer> places = new ArrayList<>();

    /** Since the latest resampling. */
    double[] logLikelihoods = new double[PARTICLES];

    List<PathPose> best = new ArrayList<>();
    int followed;

    /** The robot's motion since the latest key frame. */
    Pose since = Pose.ORIGIN;

    Twin() {
      for (int i = 0; i < PARTICLES; i++) {
        paths.add(new ArrayList<>());
      }
    }

    /** What lies before the last key frames is the followed one's, for all. */
    void join(int keyFrames) {
      int end = places.get(places.size() - keyFrames) + 1;
      while (end < followed().size() && !places.contains(end)) {
        end++;
      }
      List<PathPose> common = List.copyOf(followed().subList(0, end));
      for (List<PathPose> path : paths) {
        for (int i = 0; i < end; i++) {
          path.set(i, common.get(i));
        }
      }
    }

    void keyFrame(Step step, ParticleWeights all, Resampling resampling) {
      keyFrames.add(step);
      since = Pose.ORIGIN;
      places.add(best.size());
      List<List<PathPose>> reached = new ArrayList<>();
      for (int i = 0; i < PARTICLES; i++) {
        List<PathPose> path = new ArrayList<>(paths.get(i));
        path.add(new PathPose(step.sequence(), step.stampNanos(), all.pose(i)));
        reached.add(path);
      }
      best = reached.get(resampling.best());
      for (int i = 0; i < PARTICLES; i++) {
        logLikelihoods[i] += all.logLikelihoods()[i];
      }
      if (resampling.resampled()) {
        logLikelihoods = new double[PARTICLES];
      }
      for (int i = 0; i < PARTICLES; i++) {
        paths.set(i, reached.get(resampling.parents()[i]));
      }
      List<Integer> parents = IntStream.of(resampling.parents()).boxed().toList();
      followed = parents.indexOf(parents.contains(followed) ? followed : resampling.best());
    }

    void between(Step step) {
      since = step.motion();
      Set<List<PathPose>> each = Collections.newSetFromMap(new IdentityHashMap<>());
      each.addAll(paths);
      for (List<PathPose> path : each) {
        Pose keyFrame = path.get(places.get(places.size() - 1)).pose();
        path.add(new PathPose(step.sequence(), step.stampNanos(), keyFrame.then(step.motion())));
      }
    }

    List<PathPose> followed() {
      return paths.get(followed);
    }

    /** The weighted mean of where all paths have a place. */
    Pose mean(int place) {
      double sum = 0;
      double x = 0;
      double y = 0;
      double theta = 0;
      for (int i = 0; i < PARTICLES; i++) {
        double weight = Math.exp(SETTINGS.weightShare() * logLikelihoods[i]);
        Pose pose = paths.get(i).get(place).pose();
        sum += weight;
        x += weight * pose.x();
        y += weight * pose.y();
        theta += weight * pose.theta();
      }
      return new Pose(x / sum, y / sum, theta / sum);
    }

    /** The variance of x times {@code ofX} and so on, about the mean at the latest key frame. */
    double variance(double ofX, double ofY, double ofTheta) {
      int place = places.get(places.size() - 1);
      Pose mean = mean(place);
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < PARTICLES; i++) {
        double weight = Math.exp(SETTINGS.weightShare() * logLikelihoods[i]);
        Pose pose = paths.get(i).get(place).pose();
        double off =
            ofX * (pose.x() - mean.x())
                + ofY * (pose.y() - mean.y())
                + ofTheta * (pose.theta() - mean.theta());
        sum += weight;
        squares += weight * off * off;
      }
      return squares / sum + SETTINGS.leastCovariance().quadratic(ofX, ofY, ofTheta);
    }

    /** The mean path, in steps of two cells from the followed one. */
    List<PathPose> shown() {
      List<PathPose> shown = new ArrayList<>();
      for (int i = 0; i < followed().size(); i++) {
        PathPose one = followed().get(i);
        Pose to = mean(i);
        double cells = 2 * SETTINGS.cellMetres();
        Pose pose =
            new Pose(
                one.pose().x() + cells * Math.rint((to.x() - one.pose().x()) / cells),
                one.pose().y() + cells * Math.rint((to.y() - one.pose().y()) / cells),
                one.pose().theta()
                    + cells / 5 * Math.rint((to.theta() - one.pose().theta()) / (cells / 5)));
        shown.add(new PathPose(one.sequence(), one.stampNanos(), pose));
      }
      return shown;
    }

    /** The last key frame at which all living paths were one, and those behind it. */
    int unsettledKeyFrames() {
      int shared = 0;
      while (shared < places.size() && isShared(places.get(shared))) {
        shared++;
      }
      return places.size() - shared + 1;
    }

    /** As many different poses as the paths have at those. */
    int unsettledPoses() {
      return places.subList(places.size() - unsettledKeyFrames(), places.size()).stream()
          .mapToInt(place -> (int) paths.stream().map(path -> path.get(place)).distinct().count())
          .sum();
    }

    private boolean isShared(int place) {
      return paths.stream().allMatch(path -> path.get(place).equals(best.get(place)));
    }

    OccupancyGrid map(List<PathPose> path) {
      RayTracedMap map = new RayTracedMap(SETTINGS.cellMetres());
      for (int i = 0; i < keyFrames.size(); i++) {
        map.trace(path.get(places.get(i)).pose(), keyFrames.get(i).scan());
      }
      return map.grid();
    }
  }

  @Property(tries = 100)
  void pathsAndMapsEqualThoseOfATwinThatForgetsNothing(@ForAll long seed) {
    Random random = new Random(seed);
    TrajectoryTree trajectoryTree = new TrajectoryTree(SETTINGS);
    Twin twin = new Twin();
    ParticleWeights all = ParticleWeights.empty(0, PARTICLES, 0);
    for (int k = 0; k < 50; k++) {
      if (k == 0 || random.nextInt(5) > 1) {
        keyFrame(random, k, all, trajectoryTree, twin);
      } else {
        Step step = step(k, 100 * k, false, false, pose(random), scan(random));
        trajectoryTree.addIntermediate(step);
        twin.between(step);
      }

      assertThat(trajectoryTree.bestPath().path()).isEqualTo(twin.best);
      Pose mean = twin.mean(twin.places.get(twin.places.size() - 1)).then(twin.since);
      Pose current = trajectoryTree.currentPose();
      assertThat(current.distance(mean)).isLessThan(1e-9);
      assertThat(current.theta()).isCloseTo(mean.theta(), within(1e-9));
      SymmetricMatrix3 covariance = trajectoryTree.robotPose().covariance();
      covariance.cholesky(); // Throws where it is not positive definite.
      assertThat(covariance.quadratic(1, 2, 3)).isCloseTo(twin.variance(1, 2, 3), within(1e-9));
      if (random.nextInt(10) == 0) {
        assertSame(trajectoryTree.currentMap(), twin.map(twin.shown()));
      }
    }
    assertSame(trajectoryTree.bestPath().map().grid(), twin.map(twin.best));
  }

  @Property(tries = 20)
  void whatIsDisagreedAboutForLongIsTheFollowedOnes(@ForAll long seed) {
    assertIsTheFollowedOnes(seed);
  }

  @Nightly
  @Property(tries = 100)
  void whatIsDisagreedAboutForLongIsTheFollowedOnesByMoreSeeds(@ForAll long seed) {
    assertIsTheFollowedOnes(seed);
  }

  private static void assertIsTheFollowedOnes(long seed) {
    Random random = new Random(seed);
    int max = 3 + random.nextInt(10);
    int maxPoses = 12 + random.nextInt(40);
    // Scans of 8 beams: some blocks have one, and some fifteen.
    ScanArchive archive = new ScanArchive(1 + random.nextInt(120));
    TrajectoryTree trajectoryTree =
        new TrajectoryTree(SETTINGS, StartingMap.NONE, max, maxPoses, archive);
    Twin twin = new Twin();
    ParticleWeights all = ParticleWeights.empty(0, PARTICLES, 0);
    int joined = 0;
    for (int k = 0; k < 100; k++) {
      if (k == 0 || random.nextInt(3) > 0) {
        int odds = k > 50 ? 6 : Integer.MAX_VALUE;
        boolean resampled = keyFrame(random, odds, k, all, trajectoryTree, twin);
        while (twin.unsettledKeyFrames() > max || twin.unsettledPoses() > maxPoses) {
          twin.join((twin.unsettledKeyFrames() + 1) / 2);
          joined++;
        }
        if (resampled) {
          assertThat(trajectoryTree.unsettledKeyFrames()).isEqualTo(twin.unsettledKeyFrames());
          assertThat(trajectoryTree.unsettledPoses()).isEqualTo(twin.unsettledPoses());
        }
      } else {
        Step step = step(k, 100 * k, false, false, pose(random), scan(random));
        trajectoryTree.addIntermediate(step);
        twin.between(step);
      }
      assertThat(trajectoryTree.unsettledKeyFrames()).isLessThanOrEqualTo(max);
      assertThat(trajectoryTree.unsettledPoses()).isLessThanOrEqualTo(maxPoses);
      assertThat(trajectoryTree.bestPath().path()).isEqualTo(twin.best);
      if (random.nextInt(10) == 0) {
        assertSame(trajectoryTree.currentMap(), twin.map(twin.shown()));
      }
    }
    assertThat(joined).isGreaterThan(3);
    assertSame(trajectoryTree.bestPath().map().grid(), twin.map(twin.best));
  }

  private static void keyFrame(
      Random random, int k, ParticleWeights all, TrajectoryTree trajectoryTree, Twin twin) {
    if (keyFrame(random, 3, k, all, trajectoryTree, twin)) {
      assertThat(trajectoryTree.unsettledKeyFrames()).isEqualTo(twin.unsettledKeyFrames());
      assertThat(trajectoryTree.unsettledPoses()).isEqualTo(twin.unsettledPoses());
    }
  }

  /** True if particles were resampled after it, which is the case once in {@code odds} times. */
  private static boolean keyFrame(
      Random random,
      int odds,
      int k,
      ParticleWeights all,
      TrajectoryTree trajectoryTree,
      Twin twin) {
    Step step = step(k, 100 * k, true, k == 0, Pose.ORIGIN, scan(random));
    for (int i = 0; i < PARTICLES && k > 0; i++) {
      Pose pose = pose(random);
      all.x()[i] = pose.x();
      all.y()[i] = pose.y();
      all.theta()[i] = pose.theta();
      all.logLikelihoods()[i] = -200 * random.nextDouble();
    }
    boolean resampled = k > 0 && random.nextInt(odds) == 0;
    int[] parents =
        IntStream.range(0, PARTICLES)
            .map(i -> resampled ? random.nextInt(PARTICLES) : i)
            .sorted()
            .toArray();
    int best = parents[random.nextInt(PARTICLES)];
    Resampling resampling = new Resampling(k, resampled, parents, 1, 0, best, 0);
    trajectoryTree.addKeyFrame(step, all, resampling);
    twin.keyFrame(step, all, resampling);
    return resampled;
  }

  /** A recursive comparison would look at each cell by reflection. */
  private static void assertSame(OccupancyGrid map, OccupancyGrid expected) {
    assertThat(map.cells()).isEqualTo(expected.cells());
    assertThat(map.width()).isEqualTo(expected.width());
    assertThat(map.originX()).isEqualTo(expected.originX());
    assertThat(map.originY()).isEqualTo(expected.originY());
  }

  @Test
  void settlesWhatAllParticlesAgreeOn() {
    TrajectoryTree trajectoryTree = new TrajectoryTree(SETTINGS);
    Random random = new Random(1);
    int[] ofThird = {2, 2, 2, 2, 2};
    for (int k = 0; k < 1000; k++) {
      Step step = step(k, 0, true, k == 0, Pose.ORIGIN, scan(random));
      trajectoryTree.addKeyFrame(
          step,
          ParticleWeights.empty(k, PARTICLES, 0),
          new Resampling(k, k > 0, ofThird, 1, 0, 2, 0));
      assertThat(trajectoryTree.unsettledKeyFrames()).isLessThanOrEqualTo(2);
    }
    assertThat(trajectoryTree.bestPath().path()).hasSize(1000);
  }

  @Test
  void readingsBetweenKeyFramesFollowByOdometry() {
    TrajectoryTree trajectoryTree = new TrajectoryTree(SETTINGS);
    Random random = new Random(1);
    int[] same = {0, 1, 2, 3, 4};
    trajectoryTree.addKeyFrame(
        step(1, 10, true, true, Pose.ORIGIN, scan(random)),
        ParticleWeights.empty(1, PARTICLES, 0),
        new Resampling(1, false, same, PARTICLES, 0, 0, 0));

    trajectoryTree.addIntermediate(step(2, 20, false, false, new Pose(0.01, 0, 0), scan(random)));

    assertThat(trajectoryTree.currentPose()).isEqualTo(new Pose(0.01, 0, 0));
    assertThat(trajectoryTree.bestPath().path())
        .containsExactly(
            new PathPose(1, 10, Pose.ORIGIN), new PathPose(2, 20, new Pose(0.01, 0, 0)));
  }

  @Test
  void saysThatThereIsNoPoseBeforeTheFirstReading() {
    assertThatThrownBy(new TrajectoryTree(SETTINGS)::currentPose)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no reading was processed yet");
  }

  /** One whose odometry nobody doubts. */
  private static Step step(
      long sequence, long stamp, boolean keyFrame, boolean first, Pose motion, Scan scan) {
    return new Step(
        sequence, stamp, keyFrame, first, false, false, motion, motion, Pose.ORIGIN, 0, scan, null);
  }
}
