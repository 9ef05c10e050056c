package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.sim.log.Recording;
import org.cartostream.slam.eval.TrajectoryError;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Nightly(computes = true)
class LaserModelAccuracyTest {

  private static final long SEED = 1;

  /** Into a room and out again, in reverse, and on to the niche. */
  private static final int READINGS = 220;

  private static final double NEAR_METRES = 0.1;

  /** The defaults suit all of them; odometry alone takes the way out of the room for one in. */
  @ParameterizedTest
  @EnumSource
  void everyLaserMapsARoomThatTheRobotBacksOutOf(LaserModel model) throws Exception {
    Recording log =
        Fault.REVERSE_AS_FORWARD.applyTo(
            FaultyLogWriter.ofShortSteps(model, SEED).first(READINGS), SEED);
    assertThat(TrajectoryError.of(log.odometry(), log.reference()).rmseMetres()).isGreaterThan(1);
    assertThat(FaultTolerance.ate(log, SEED)).isLessThan(NEAR_METRES);
  }
}
