package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.assertj.core.data.Offset;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PoseEstimateTest {

  private static final FilterSettings SETTINGS =
      Settings.build(FilterSettings.class, Map.of("weightShare", "1", "maxShiftMetres", "0.1"));
  private static final Offset<Double> EXACT = within(1e-12);

  /** Two particles, at x and y = 0, whose scans fit with likelihoods. */
  private static ParticleWeights two(double x, double ofOther, double fit, double fitOfOther) {
    double[] zeros = {0, 0};
    double[] logs = {Math.log(fit), Math.log(fitOfOther)};
    return new ParticleWeights(
        2,
        new int[] {0, 1},
        new double[] {x, ofOther},
        zeros,
        zeros,
        logs,
        new long[2],
        0,
        0,
        false);
  }

  private static PoseEstimate after(PoseEstimate before, ParticleWeights all) {
    return before.after(all, new Resampling(2, false, new int[] {0, 1}, 2, 0, 0, 0), SETTINGS);
  }

  @Test
  void itIsTheMeanByLikelihood() {
    PoseEstimate next = after(PoseEstimate.at(Pose.ORIGIN, 2), two(1, 1.2, 3, 1));
    assertThat(next.mean().x()).isCloseTo(1.05, EXACT);
    assertThat(next.pose()).isEqualTo(next.mean());
    // Weights of 9 to 1 by now.
    assertThat(after(next, two(2, 2.2, 3, 1)).mean().x()).isCloseTo(2.02, EXACT);
  }

  /** Of two places 4 m apart the likelier turns out to be the wrong one. */
  @Test
  void whatTheRobotIsToldFollowsWithinBoundsAndArrives() {
    PoseEstimate estimate =
        new PoseEstimate(new double[] {0, -1e3}, Pose.ORIGIN, Pose.ORIGIN); // sure of the one
    estimate = after(estimate, two(1, 5, 1e-300, 1e300)); // sure of the other
    estimate = after(estimate, two(2, 6, 1, 1e300));
    assertThat(estimate.mean().x()).isCloseTo(6, EXACT);
    for (int i = 3; i <= 41; i++) {
      double told = estimate.pose().x();
      estimate = after(estimate, two(i, i + 4, 1, 1));
      assertThat(estimate.pose().x() - told).as("the step and 0.1 m").isBetween(1.0, 1.1 + 1e-9);
    }
    assertThat(estimate.pose().x()).isCloseTo(45, within(1e-9));
    assertThat(after(estimate, two(42, 46, 1, 1)).pose().x()).isCloseTo(46, within(1e-9));
  }

  /** Headings on both sides of π, where numbers are far apart. */
  @Test
  void headingsHaveAMeanAcrossPi() {
    Pose[] poses = {new Pose(0, 0, Math.PI - 0.1), new Pose(0, 0, -Math.PI + 0.3)};
    Pose mean = PoseEstimate.mean(new double[] {0.5, 0.5}, i -> poses[i]);
    assertThat(mean.theta()).isCloseTo(-Math.PI + 0.1, EXACT);
  }

  /** Or a map would be drawn anew for nothing. */
  @Property
  void whereAllAreOneItIsThatToTheLastBit(@ForAll long seed) {
    Random random = new Random(seed);
    Pose pose = new Pose(random.nextGaussian(), random.nextGaussian(), random.nextDouble());
    double[] weights = Resampler.weights(random.doubles(7, -50, 0).toArray(), 1);
    assertThat(PoseEstimate.mean(weights, i -> pose)).isEqualTo(pose);
  }

  @Test
  void afterAResamplingAllWeighTheSame() {
    PoseEstimate before = after(PoseEstimate.at(Pose.ORIGIN, 2), two(0, 0.02, 1, 100));
    PoseEstimate drawn =
        before.after(
            two(1, 1.02, 1, 1), new Resampling(3, true, new int[] {1, 1}, 1, 0, 1, 0), SETTINGS);
    assertThat(drawn.mean()).isEqualTo(new Pose(1.02, 0, 0));
    assertThat(drawn.weights(SETTINGS)).containsExactly(0.5, 0.5);
  }
}
