package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/** How well covariances of poses agree with the truth, of robots in a known map. */
@Nightly(computes = true)
class LocalisedCovarianceAccuracyTest {

  private static final long FIRST_SEED = 1001;
  private static final int SEEDS = 20;

  @Test
  void theEllipseHoldsTheTruthInAboutAsManyCasesAsItSays() {
    Consistency pooled = new Consistency();
    for (CovarianceWorld world : CovarianceWorld.values()) {
      ServerMap map = CovarianceDrive.known(world);
      Consistency figures = new Consistency();
      for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        CovarianceDrive.localise(world, seed, map, figures);
      }
      System.out.println(figures.row("localisation," + world + ",all"));
      assertThat(figures.share()).as("%s, seeds from %d", world, FIRST_SEED).isGreaterThan(0.7);
      pooled.add(figures);
    }
    System.out.println(pooled.row("localisation,pooled,all"));
    assertThat(pooled.share()).as("seeds from %d", FIRST_SEED).isBetween(0.85, 0.99);
  }
}
