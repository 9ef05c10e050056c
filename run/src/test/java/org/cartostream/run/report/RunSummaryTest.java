package org.cartostream.run.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What a run's summary says of odometry. */
@Quick
class RunSummaryTest {

  private static OdometryStatistics odometry(long replaced, Pose mountError, double lagSeconds) {
    return new OdometryStatistics(replaced, replaced, mountError, lagSeconds);
  }

  private static Pose turned(double degrees) {
    return new Pose(0, 0, Math.toRadians(degrees));
  }

  @Test
  void saysNothingOfOdometryThatIsRight() {
    assertThat(RunSummary.odometry(odometry(20, turned(0.5), 0), 100, "0")).isEmpty();
  }

  /** In centimetres, or frozen; the laser sideways or backwards. The mount found then is wrong. */
  @Test
  void asksWhatIsWrongWhereTheLaserReplacesOdometryAgainAndAgain() {
    assertThat(RunSummary.odometry(odometry(21, turned(33), 0), 100, "0"))
        .singleElement()
        .asString()
        .startsWith("odometry     contradicts the laser: replaced at 21 of 100 readings;");
  }

  @Test
  void givesAMountsErrorUpToTwentyDegrees() {
    assertThat(RunSummary.odometry(odometry(0, turned(-19.9), 0), 100, "0"))
        .containsExactly(
            "mount        laser off its declared place by x +0.00 m, y +0.00 m, -19.9 degrees");
    assertThat(RunSummary.odometry(odometry(0, turned(-20.1), 0), 100, "0"))
        .containsExactly(
            "mount        laser turned by more than 20 degrees from its declared place");
  }

  @Test
  void givesTheLagAsTheSettingThatCorrectsItBesideWhatIsCorrectedAlready() {
    assertThat(RunSummary.odometry(odometry(0, Pose.ORIGIN, 0.2), 100, "0.1"))
        .singleElement()
        .asString()
        .startsWith("lag          scans are stamped 0.20 s later than they were taken")
        .endsWith("--set ros.laserLagSeconds=0.30");
  }
}
