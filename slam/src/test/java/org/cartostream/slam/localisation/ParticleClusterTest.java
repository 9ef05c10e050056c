package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ParticleClusterTest {

  /** Two clouds, one looking back across the angle where headings wrap. */
  @Test
  void theHeavierOfTwoPlacesHasItsOwnMeanAndSpread() {
    Random random = new Random(1);
    Pose[] poses = new Pose[10_000];
    double[] weights = new double[poses.length];
    for (int i = 0; i < poses.length; i++) {
      double theta = StrictMath.PI + 0.2 * random.nextGaussian();
      poses[i] =
          i % 10 < 7
              ? new Pose(
                  3 + 0.1 * random.nextGaussian(),
                  -2 + 0.05 * random.nextGaussian(),
                  Pose.wrap(theta))
              : new Pose(9, 9, 0);
      weights[i] = 1.0 / poses.length;
    }

    ParticleCluster best = ParticleCluster.heaviest(poses, weights);

    assertThat(best.weight()).isCloseTo(0.7, within(0.001));
    assertThat(best.mean().x()).isCloseTo(3, within(0.01));
    assertThat(best.mean().y()).isCloseTo(-2, within(0.01));
    assertThat(Pose.wrap(best.mean().theta() - StrictMath.PI)).isCloseTo(0, within(0.01));
    assertThat(best.covariance().xx()).isCloseTo(0.01, within(0.001));
    assertThat(best.covariance().yy()).isCloseTo(0.0025, within(0.0003));
    assertThat(best.covariance().tt()).isCloseTo(0.04, within(0.003));
  }

  /** Particles on a line, whose heading changes along it. */
  @Test
  void theSecondMomentAboutAPlaceIsWorkedOutByHand() {
    Pose[] poses = {new Pose(1, 2, 0.1), new Pose(1.2, 2.1, 0.15), new Pose(1.4, 2.2, 0.2)};
    double[] weights = {0.25, 0.5, 0.25};

    SymmetricMatrix3 moment =
        ParticleCluster.heaviest(poses, weights).around(new Pose(1.1, 2.1, 0.15));

    // The mean is the middle one; about it xx is (0.2² + 0.2²) / 4, and it is 0.1 m off along x.
    assertThat(moment.xx()).isCloseTo(0.02 + 0.01, within(1e-12));
    assertThat(moment.xy()).isCloseTo(0.01, within(1e-12));
    assertThat(moment.xt()).isCloseTo(0.005, within(1e-12));
    assertThat(moment.yy()).isCloseTo(0.005, within(1e-12));
    assertThat(moment.yt()).isCloseTo(0.0025, within(1e-12));
    assertThat(moment.tt()).isCloseTo(0.00125, within(1e-12));
  }

  @Test
  void whatItKnowsIsTheInverseOfItsCovarianceAndTheLeast() {
    ParticleCluster cluster =
        new ParticleCluster(1, Pose.ORIGIN, new SymmetricMatrix3(4, 1, 0, 2, 0, 0.5));

    SymmetricMatrix3 information = cluster.information(1, 0.5);

    // By hand: the inverse of ((5, 1), (1, 3)) is ((3, -1), (-1, 5)) / 14, that of 0.75 is 4/3.
    assertThat(information.xx()).isCloseTo(3 / 14.0, within(1e-12));
    assertThat(information.xy()).isCloseTo(-1 / 14.0, within(1e-12));
    assertThat(information.yy()).isCloseTo(5 / 14.0, within(1e-12));
    assertThat(information.tt()).isCloseTo(4 / 3.0, within(1e-12));
  }

  @Test
  void boxesThatTouchAreOnePlaceAndAGapParts() {
    Pose[] row = new Pose[5];
    Arrays.setAll(row, i -> new Pose(0.25 + 0.5 * i, 0.25, 0));
    double[] weights = {0.2, 0.2, 0.2, 0.2, 0.2};
    assertThat(ParticleCluster.heaviest(row, weights).weight()).isCloseTo(1, within(1e-12));

    row[2] = new Pose(9, 9, 0);
    assertThat(ParticleCluster.heaviest(row, weights).weight()).isCloseTo(0.4, within(1e-12));
  }
}
