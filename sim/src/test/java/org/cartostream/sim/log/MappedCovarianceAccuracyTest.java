package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;

/** How well covariances of poses agree with the truth, of robots that make their map. */
@Nightly(computes = true)
class MappedCovarianceAccuracyTest {

  private static final long FIRST_SEED = 1001;
  private static final int SEEDS = 20;

  @Test
  void theEllipseHoldsTheTruthInAboutAsManyCasesAsItSays() {
    Consistency pooled = new Consistency();
    for (CovarianceWorld world : CovarianceWorld.values()) {
      Consistency open = new Consistency();
      Consistency closed = new Consistency();
      for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
        CovarianceDrive.map(world, seed, open, closed);
      }
      System.out.println(open.row("mapping," + world + ",before a correction"));
      if (closed.poses > 0) {
        System.out.println(closed.row("mapping," + world + ",after a correction"));
      }
      open.add(closed);
      System.out.println(open.row("mapping," + world + ",all"));
      assertThat(open.share()).as("%s, seeds from %d", world, FIRST_SEED).isGreaterThan(0.7);
      pooled.add(open);
    }
    System.out.println(pooled.row("mapping,pooled,all"));
    assertThat(pooled.share()).as("seeds from %d", FIRST_SEED).isBetween(0.85, 0.99);
  }
}
