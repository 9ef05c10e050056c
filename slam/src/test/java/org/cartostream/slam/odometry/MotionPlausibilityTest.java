package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class MotionPlausibilityTest {

  private static final Scan NOTHING_SEEN = new Scan(Pose.ORIGIN, 0, 1, 0, 10, new float[1]);

  private final MotionPlausibility motionPlausibility = new MotionPlausibility();
  private Pose odometry = new Pose(5, 0, 0);
  private long nanos;

  private static Pose ahead(double metres) {
    return new Pose(metres, 0, 0);
  }

  private void read(double seconds) {
    nanos += Math.round(seconds * 1e9);
    motionPlausibility.read(reading());
  }

  private Reading reading() {
    return new Reading(nanos, odometry, NOTHING_SEEN);
  }

  /** Key frames a second apart, with a reading in the middle. */
  private void drive(Pose each, boolean byOdometry) {
    motionPlausibility.begin(reading());
    for (int i = 0; i < 3; i++) {
      read(0.5);
      read(0.5);
      motionPlausibility.keyFrame(each, byOdometry);
    }
  }

  @Test
  void isThatFromOneReadingToTheNextBeforeTheLastKeyFrame() {
    drive(ahead(0.4), true);

    read(0.5);
    assertThat(motionPlausibility.continued().x()).isCloseTo(0.2, within(1e-12));
    read(0.5);
    assertThat(motionPlausibility.continued().x()).isCloseTo(0.4, within(1e-12));
    assertThat(motionPlausibility.deviation(ahead(0.5)))
        .as("to going on")
        .isCloseTo(0.1, within(1e-12));
    assertThat(motionPlausibility.deviation(ahead(-0.1)))
        .as("to standing")
        .isCloseTo(0.1, within(1e-12));
  }

  @ParameterizedTest(name = "({0}, {1}) m and {2} rad: ({3}, {4}) m")
  @CsvSource({
    "0.4, 0, 0, 0.4, 0",
    "-0.4, 0, 0, -0.4, 0",
    "0.4, 0.3, 1, 0.5, 0",
    // On wheels that go sideways, too.
    "0, -0.4, 0, 0, -0.4"
  })
  void straightOnIsAsFastAndWithoutATurn(double x, double y, double turn, double onX, double onY) {
    drive(new Pose(x, y, turn), true);
    read(0.5);
    read(0.5);

    assertThat(motionPlausibility.continuedStraight().distance(new Pose(onX, onY, 0)))
        .isLessThan(1e-12);
    assertThat(motionPlausibility.continuedStraight().theta()).isZero();
  }

  @Test
  void whoDroveMayGoOnForTenReadings() {
    drive(ahead(0.4), true);
    for (int i = 1; i <= 12; i++) {
      read(0.5);
      assertThat(motionPlausibility.mayStillMove()).as("reading %d", i).isEqualTo(i <= 10);
    }
  }

  @Test
  void whoStoodIsNotExpectedToGoOn() {
    drive(ahead(0.01), true);
    read(0.5);
    assertThat(motionPlausibility.mayStillMove()).isFalse();
  }

  /** Of a robot that goes 0.2 m from one reading to the next, at 0.4 m/s. */
  @ParameterizedTest(name = "{0} m and {1} rad in {2} s are {3}")
  @CsvSource({
    "1.0, 0.0, 0.1, USUAL",
    "1.3, 0.0, 0.1, UNLIKELY",
    "1.6, 0.0, 0.1, IMPOSSIBLE",
    "-1.4, 0.0, 0.1, IMPOSSIBLE",
    "2.4, 0.0, 2.0, USUAL",
    "3.5, 0.0, 2.0, UNLIKELY",
    "3.5, 0.0, 6.0, USUAL",
    "0.0, 0.6, 0.1, USUAL",
    "0.0, -1.0, 0.1, UNLIKELY",
    "0.0, 1.2, 0.1, IMPOSSIBLE",
    "0.0, 3.0, 2.0, USUAL",
    "9.0, 3.0, 0.0, USUAL",
    "9.0, 3.0, -1.0, USUAL",
  })
  void tellsWhichStepsAreUnlikelyAndWhichImpossible(
      double metres, double radians, double seconds, MotionPlausibility.Plausibility step) {
    drive(ahead(0.4), true);

    read(seconds);

    assertThat(motionPlausibility.classify(new Pose(metres, 0, radians))).isEqualTo(step);
  }

  @Test
  void anUnlikelyStepIsUsualForARobotThatWasAsFast() {
    drive(ahead(1.4), true);

    read(2);

    assertThat(motionPlausibility.classify(ahead(5)))
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
  }

  /** As in the intel log, by which a robot of 0.8 m/s would have turned by 99 rad/s. */
  @Test
  void aRobotIsNotFastBecauseTwoStampsLieCloseTogether() {
    drive(ahead(0.4), true);
    read(0.005);
    motionPlausibility.keyFrame(new Pose(0.06, 0, 0.5), true);
    read(1);
    motionPlausibility.keyFrame(ahead(0.3), true);

    read(2);

    assertThat(motionPlausibility.classify(ahead(3.5)))
        .isEqualTo(MotionPlausibility.Plausibility.UNLIKELY);
    assertThat(motionPlausibility.classify(new Pose(0, 0, 3.14)))
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
  }

  @Test
  void theSpeedOfARobotWithKeyFramesCloseTogetherIsMeasuredOverSeveral() {
    drive(ahead(0.4), true);
    for (int i = 0; i < 10; i++) {
      read(0.1);
      motionPlausibility.keyFrame(ahead(0.14), true);
    }

    read(2);

    assertThat(motionPlausibility.classify(ahead(5)))
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
    assertThat(motionPlausibility.classify(ahead(5.5)))
        .isEqualTo(MotionPlausibility.Plausibility.UNLIKELY);
  }

  @Test
  void whatTheLaserSaysTellsNothingOfHowFastTheRobotCanBe() {
    drive(ahead(1.4), false);

    read(2);

    assertThat(motionPlausibility.classify(ahead(5.5)))
        .isEqualTo(MotionPlausibility.Plausibility.UNLIKELY);
  }

  @Test
  void timeDoesNotExplainAStepToWhereOdometryBegins() {
    drive(ahead(0.4), true);

    odometry = new Pose(0.3, 0, 0.2);
    read(2);

    assertThat(motionPlausibility.classify(ahead(1.3)))
        .isEqualTo(MotionPlausibility.Plausibility.IMPOSSIBLE);
    assertThat(motionPlausibility.classify(ahead(1.1)))
        .as("a drive home")
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
  }

  /** It turns away from a wall beside which it began, as intel's does in its first readings. */
  @Test
  void aRobotThatTurnsWhereOdometryBeganHasNotBegunAnew() {
    odometry = new Pose(0.6, 0, 1.4);
    drive(ahead(0.1), true);

    odometry = new Pose(0.5, 0, 0.3);
    read(2);

    assertThat(motionPlausibility.classify(new Pose(0, 0, -1.1)))
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
  }

  @Test
  void whatFollowsAReadingThatWasMissedIsAGuessOnce() {
    drive(ahead(0.4), true);

    assertThat(motionPlausibility.predictMissedMotion().x()).isCloseTo(0.2, within(1e-12));
    read(0.5);
    assertThat(motionPlausibility.classify(ahead(0.4)))
        .isEqualTo(MotionPlausibility.Plausibility.GUESSED);
    read(0.5);
    assertThat(motionPlausibility.classify(ahead(0.6)))
        .isEqualTo(MotionPlausibility.Plausibility.USUAL);
  }

  /** By a minute, at 2 m/s: what was driven meanwhile is not driven in half a second. */
  @Test
  void aClockThatIsSetBackDoesNotMakeARobotFast() {
    drive(ahead(0.4), true);
    read(-60);
    motionPlausibility.keyFrame(ahead(1), true);
    for (int i = 0; i < 62; i++) {
      read(1);
      motionPlausibility.keyFrame(ahead(1), true);
    }

    read(0.5);

    assertThat(motionPlausibility.classify(ahead(3)))
        .isEqualTo(MotionPlausibility.Plausibility.UNLIKELY);
  }
}
