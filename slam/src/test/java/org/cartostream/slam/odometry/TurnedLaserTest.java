package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Its laser is turned to the left, and nobody has told the robot. */
@Quick
class TurnedLaserTest extends RoomDrive {

  private static final double TURNED = Math.toRadians(5);
  private static final Pose ERROR = new Pose(0, 0, TURNED);
  private static final double RADIANS = Math.toRadians(1);

  /** A circle to the left, one to the right. */
  private static Pose step(int i) {
    return new Pose(0.15, 0, i / 17 % 2 == 0 ? 0.375 : -0.375);
  }

  private Step last;

  @BeforeEach
  void driveInCircles() {
    for (int i = 0; i < 1000; i++) {
      truth = truth.then(step(i));
      odometry = odometry.then(step(i));
      last = read(room.scan(truth.then(ERROR), laser));
      assertThat(last.replaced()).isFalse();
    }
  }

  /** The motion of the base, as one sees it that takes the laser for its heading. */
  private static void assertIsTheBases(Step step, Pose wheels) {
    Pose base = ERROR.to(wheels.then(ERROR));
    assertThat(Math.atan2(step.motion().y(), step.motion().x()))
        .isCloseTo(Math.atan2(base.y(), base.x()), within(RADIANS));
    assertThat(step.motion().theta()).isCloseTo(base.theta(), within(1e-9));
  }

  @Test
  void isFoundOutAndOdometryIsCorrected() {
    assertThat(last.mountError().theta()).isCloseTo(TURNED, within(RADIANS));
    assertIsTheBases(last, step(999));
  }
}
