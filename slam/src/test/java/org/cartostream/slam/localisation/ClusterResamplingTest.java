package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ClusterResamplingTest {

  private static final int PARTICLES = 2000;

  private final Random random = new Random(5);

  /** Particles of two places, mixed by chance. */
  private Pose[] twoPlaces() {
    Pose[] poses = new Pose[PARTICLES];
    Arrays.setAll(poses, i -> new Pose(random.nextBoolean() ? 1 : 9, 1, 0));
    return poses;
  }

  private static double weight(Pose[] poses, double[] weights, double x) {
    return IntStream.range(0, poses.length)
        .filter(i -> poses[i].x() == x)
        .mapToDouble(i -> weights[i])
        .sum();
  }

  private double[] random(Pose[] poses, double first) {
    double[] weights = new double[PARTICLES];
    Arrays.setAll(weights, i -> random.nextDouble());
    double left = weight(poses, weights, 1);
    double right = weight(poses, weights, 9);
    Arrays.setAll(
        weights,
        i -> poses[i].x() == 1 ? weights[i] / left * first : weights[i] / right * (1 - first));
    return weights;
  }

  private static long count(Pose[] poses, int[] parents, double x) {
    return Arrays.stream(parents).filter(parent -> poses[parent].x() == x).count();
  }

  @Test
  void aPlaceHasItsShareOfTheParticlesButForOne() {
    for (int trial = 0; trial < 100; trial++) {
      Pose[] poses = twoPlaces();
      double share = 0.1 + 0.8 * random.nextDouble();
      ClusterResampling resampling = ClusterResampling.of(poses, random(poses, share), 0);

      int[] parents = resampling.parents(poses.length, random.nextDouble());

      assertThat(parents).isSorted();
      assertThat((double) count(poses, parents, 1)).isCloseTo(share * PARTICLES, within(1 + 1e-6));
      assertThat(resampling.logWeights(parents)).containsOnly(new double[PARTICLES], within(1e-9));
    }
  }

  /** Systematic resampling: a particle has as many copies as it weighs, rounded up or down. */
  @Test
  void aParticleHasAsManyCopiesAsItWeighs() {
    Pose[] poses = twoPlaces();
    double[] weights = random(poses, 0.4);

    int[] parents = ClusterResampling.of(poses, weights, 0).parents(poses.length, 0.3);

    for (int i = 0; i < PARTICLES; i++) {
      int particle = i;
      double copies = Arrays.stream(parents).filter(parent -> parent == particle).count();
      assertThat(copies).isCloseTo(PARTICLES * weights[i], within(1.0));
    }
  }

  @Test
  void anUnlikelyPlaceKeepsParticlesAndItsWeight() {
    for (double unlikely : new double[] {0.02, 1e-3, 1e-5}) {
      Pose[] poses = twoPlaces();
      ClusterResampling resampling = ClusterResampling.of(poses, random(poses, unlikely), 0);

      int[] parents = resampling.parents(poses.length, 0.5);
      double[] logs = resampling.logWeights(parents);

      assertThat(count(poses, parents, 1)).isBetween(55L, 61L);
      double[] weights = Arrays.stream(logs).map(Math::exp).toArray();
      double sum = Arrays.stream(weights).sum();
      double left = 0;
      for (int i = 0; i < PARTICLES; i++) {
        left += poses[parents[i]].x() == 1 ? weights[i] / sum : 0;
      }
      assertThat(left).isCloseTo(unlikely, within(0.02 * unlikely));
    }
  }

  @Test
  void aPlaceThatIsOutOfTheQuestionDies() {
    Pose[] poses = twoPlaces();

    int[] parents = ClusterResampling.of(poses, random(poses, 1e-8), 0).parents(poses.length, 0.5);

    assertThat(count(poses, parents, 1)).isZero();
  }

  /** The closed form of a series: the log of the ratio goes to the tenfold of what a scan says. */
  @Test
  void whatIsTheSameInEachScanCountsAsThatOfTen() {
    Pose[] poses = twoPlaces();
    double[] weights = random(poses, 0.5);
    double perScan = 0.05;
    for (int scan = 0; scan < 300; scan++) {
      double[] logs = ClusterResampling.of(poses, weights, 0.1).logWeights();
      Arrays.setAll(logs, i -> logs[i] + (poses[i].x() == 1 ? perScan : 0));
      weights = Resampler.weights(logs, 1);
    }

    double ratio = weight(poses, weights, 1) / weight(poses, weights, 9);
    assertThat(Math.log(ratio)).isCloseTo(perScan / 0.1, within(1e-6));
  }

  @Test
  void withinAPlaceNothingIsForgotten() {
    Pose[] poses = twoPlaces();
    double[] weights = random(poses, 0.3);

    double[] logs = ClusterResampling.of(poses, weights, 0.1).logWeights();

    for (int i = 1; i < PARTICLES; i++) {
      if (poses[i].x() == poses[0].x()) {
        assertThat(logs[i] - logs[0]).isCloseTo(Math.log(weights[i] / weights[0]), within(1e-9));
      }
    }
  }
}
