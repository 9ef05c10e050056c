package org.cartostream.slam.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class LaserLagEstimatorTest {

  private static final double SECONDS = 120;
  private static final long SEED = 29;

  private final LaserLagEstimator lag =
      new LaserLagEstimator(15, Settings.defaults(FilterSettings.class).motion());
  private final Random random = new Random(SEED);

  /** Swings to and fro, by up to 1 rad/s. */
  private static double heading(double seconds) {
    return Math.sin(seconds) + 0.2 * Math.sin(2.7 * seconds);
  }

  private void read(double seconds, double byOdometry, double byLaser) {
    long stamp = 1_000_000_000_000L + Math.round(seconds * 1e9);
    lag.read(new Reading(stamp, new Pose(0, 0, Pose.wrap(byOdometry)), null), Pose.wrap(byLaser));
  }

  private void drive(double period, DoubleUnaryOperator byOdometry, DoubleUnaryOperator byLaser) {
    for (double now = 0; now < SECONDS; now += period) {
      read(now, byOdometry.applyAsDouble(now), byLaser.applyAsDouble(now));
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.9, -0.5, -0.2, 0.2, 0.34, 0.5, 0.9})
  void isFoundWhereTheLaserSeesEveryTurnLaterOrEarlier(double seconds) {
    drive(0.1, LaserLagEstimatorTest::heading, now -> heading(now - seconds));
    assertThat(lag.lagSeconds()).isCloseTo(seconds, within(0.03));
  }

  /** 0.05 s at 1 rad/s are 0.05 rad, which a scan match bridges. */
  @ParameterizedTest
  @ValueSource(doubles = {-0.05, 0, 0.05})
  void isNotWorthAWordWhereNoMapSuffers(double seconds) {
    drive(0.1, LaserLagEstimatorTest::heading, now -> heading(now - seconds));
    assertThat(lag.lagSeconds()).isZero();
  }

  /** Interpolated, its noise is less: any other moment fits better than the right one. */
  @Test
  void noisyOdometryIsNotTakenForIt() {
    drive(0.2, now -> heading(now) + 0.1 * random.nextGaussian(), LaserLagEstimatorTest::heading);
    assertThat(lag.lagSeconds()).as("seed " + SEED).isZero();
  }

  @Test
  void aLaserThatSeesSomethingElseIsNotTakenForIt() {
    drive(0.2, LaserLagEstimatorTest::heading, now -> 0.3 * random.nextGaussian());
    assertThat(lag.lagSeconds()).as("seed " + SEED).isZero();
  }

  /** Nobody knows when it turned in between. */
  @Test
  void readingsThatLieFarApartTellNothing() {
    drive(1.5, LaserLagEstimatorTest::heading, now -> heading(now - 0.5));
    assertThat(lag.lagSeconds()).isZero();
  }

  @Test
  void aClockThatIsSetBackBeginsAnewWithWhatIsKnown() {
    drive(0.1, LaserLagEstimatorTest::heading, now -> heading(now - 0.4));
    double found = lag.lagSeconds();
    drive(0.1, LaserLagEstimatorTest::heading, now -> heading(now - 0.4));
    assertThat(found).isCloseTo(0.4, within(0.03));
    assertThat(lag.lagSeconds()).isCloseTo(0.4, within(0.03));
  }

  /** Stamps that all are alike, and a robot that stands. */
  @Test
  void whatDoesNotMoveTellsNothing() {
    for (int i = 0; i < 1000; i++) {
      read(0, heading(i), heading(i - 0.5));
    }
    drive(0.1, now -> 0, now -> 0.002 * random.nextGaussian());
    assertThat(lag.lagSeconds()).as("seed " + SEED).isZero();
  }
}
