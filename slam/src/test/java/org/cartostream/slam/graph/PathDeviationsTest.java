package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A robot goes 50 m ahead, a metre at a time. */
@Quick
class PathDeviationsTest {

  private static final long SEED = 58;

  private static Pose[] ahead() {
    Pose[] poses = new Pose[51];
    for (int i = 0; i < poses.length; i++) {
      poses[i] = new Pose(i, 0, 0);
    }
    return poses;
  }

  /** The chain errs by 0.02 m and 0.006 rad at each metre; so do 2,000 random paths. */
  @Test
  void alongThePathErrorsAddUpAsThoseOfRandomPaths() {
    Random random = new Random(SEED);
    int paths = 2000;
    double squares = 0;
    for (int path = 0; path < paths; path++) {
      Pose pose = Pose.ORIGIN;
      for (int i = 0; i < 50; i++) {
        double slip = 0.02 * random.nextGaussian();
        double skid = 0.02 * random.nextGaussian();
        pose = pose.then(new Pose(1 + slip, skid, 0.006 * random.nextGaussian()));
      }
      squares += Math.pow(pose.y(), 2) / paths;
    }
    double[] deviations = new PathDeviations(ahead(), List.of()).seenFrom(50);
    assertThat(deviations[50]).isZero();
    assertThat(deviations).isSortedAccordingTo((one, other) -> Double.compare(other, one));
    assertThat(deviations[0]).as("seed %d", SEED).isCloseTo(Math.sqrt(squares), within(0.1));
  }

  @Test
  void whoHasComeBackIsAsSureAsTheLoopThatSaysSo() {
    SymmetricMatrix3 sure = new SymmetricMatrix3(400, 0, 0, 400, 0, 1e12);
    Edge loop = new Edge(10, 50, new Pose(40, 0, 0), sure, true);
    double[] open = new PathDeviations(ahead(), List.of()).seenFrom(50);
    double[] closed = new PathDeviations(ahead(), List.of(loop)).seenFrom(50);
    assertThat(closed[10]).isCloseTo(0.05, within(1e-3));
    // Near there it is the chain that counts, before and behind; near the place the chain alone.
    assertThat(closed[9]).isGreaterThan(closed[10]).isLessThan(open[9]);
    assertThat(closed[11]).isGreaterThan(closed[10]).isLessThan(open[11]);
    assertThat(closed[49]).isEqualTo(open[49]);
    double[] before = new PathDeviations(ahead(), List.of(loop)).seenFrom(40);
    assertThat(before).as("an edge of later nodes").startsWith(open(40)).hasSize(41);
  }

  private static double[] open(int place) {
    return new PathDeviations(ahead(), List.of()).seenFrom(place);
  }
}
