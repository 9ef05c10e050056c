package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.settings.Settings;
import org.cartostream.slam.calibration.LaserMountEstimator;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class DelayedOdometryTest {

  private static final int READINGS = 40;
  private static final Pose HERE = new Pose(3, 4, 1);
  private static final Pose ODOMETRY = new Pose(1, -2, 0.5);

  private final LaserMountEstimator mount = new LaserMountEstimator(0.05, 0.03);
  private final DelayedOdometry late = new DelayedOdometry(mount);

  private void read(int readings) {
    for (int i = 0; i < readings; i++) {
      late.read();
    }
  }

  @Test
  void mayComeRightInSoManyReadingsAfterTheLatestDoubt() {
    read(1);
    assertThat(late.mayComeRight()).isFalse();

    late.doubt(HERE, ODOMETRY);
    read(READINGS);
    assertThat(late.mayComeRight()).isTrue();

    late.doubt(HERE, ODOMETRY);
    read(READINGS);
    assertThat(late.mayComeRight()).isTrue();

    read(1);
    assertThat(late.mayComeRight()).isFalse();
  }

  @Test
  void isNoMoreExpectedOnceItIsOver() {
    late.doubt(HERE, ODOMETRY);
    late.end();

    assertThat(late.mayComeRight()).isFalse();
  }

  /** While it is doubted, what was right before the first doubt is what it may come back to. */
  @Test
  void wouldBeWhereItsWayFromBeforeTheFirstDoubtLeads() {
    Pose way = new Pose(2, 0.3, -0.2);
    late.doubt(HERE, ODOMETRY);
    read(3);
    late.doubt(new Pose(77, 77, 0), ODOMETRY);

    Pose where = late.poseByOdometry(ODOMETRY.then(way));

    assertThat(where.distance(HERE.then(way))).isCloseTo(0, within(1e-9));
    assertThat(PoseCandidate.headingDifference(where, HERE.then(way))).isCloseTo(0, within(1e-9));
  }

  /** By how much, radians. */
  private double learnThatTheLaserIsTurned() {
    Pose error = new Pose(0, 0, 0.1);
    mount.begin(Pose.ORIGIN);
    for (int i = 0; i < 1000; i++) {
      Pose wheels = new Pose(0.5, 0, i % 2 == 0 ? 0.2 : -0.2);
      MotionModel usual = MotionModel.of(Settings.defaults(FilterSettings.class).motion(), wheels);
      mount.compare(wheels, error.to(wheels.then(error)), usual);
      mount.keyFrame();
    }
    double turned = mount.offset(Pose.ORIGIN).theta();
    assertThat(turned).isCloseTo(0.1, within(0.02));
    return turned;
  }

  /** What is known of the laser's mount when odometry comes right goes for the whole way. */
  @Test
  void itsWayIsThatOfTheBaseAsTheLaserHasIt() {
    Pose way = new Pose(10, 0, 0);
    late.doubt(HERE, ODOMETRY);
    double turned = learnThatTheLaserIsTurned();

    Pose where = late.poseByOdometry(ODOMETRY.then(way));

    Pose aside = new Pose(10 * Math.cos(turned), -10 * Math.sin(turned), 0);
    assertThat(where.distance(HERE.then(aside))).isCloseTo(0, within(1e-9));
    assertThat(PoseCandidate.headingDifference(where, HERE)).isCloseTo(0, within(1e-9));
  }

  @Test
  void aDoubtAfterAllWasForgottenBeginsAnew() {
    late.doubt(new Pose(77, 77, 0), ODOMETRY);
    read(READINGS + 1);
    late.doubt(HERE, ODOMETRY);

    assertThat(late.poseByOdometry(ODOMETRY).distance(HERE)).isCloseTo(0, within(1e-9));
  }

  @Test
  void hasComeRightWhereTheLaserFindsTheRobotNearItsWord() {
    late.doubt(HERE, ODOMETRY);

    assertThat(late.hasComeRight(HERE.then(new Pose(0.4, 0, 0.2)), ODOMETRY)).isTrue();
    assertThat(late.hasComeRight(HERE.then(new Pose(0.6, 0, 0)), ODOMETRY)).isFalse();
    assertThat(late.hasComeRight(HERE.then(new Pose(0, 0, 0.4)), ODOMETRY)).isFalse();
  }

  /** Half of a debt at once, but no step that a robot makes every day. */
  @Test
  void aStepMakesGoodIfItIsFarOffThePaceAndHalfOfTheDebt() {
    assertThat(late.mayCatchUp(0.25, 0.1)).isFalse();
    assertThat(late.mayCatchUp(0.35, 0.1)).isTrue();
    assertThat(late.mayCatchUp(0.9, 2)).isFalse();
    assertThat(late.mayCatchUp(1.1, 2)).isTrue();
  }
}
