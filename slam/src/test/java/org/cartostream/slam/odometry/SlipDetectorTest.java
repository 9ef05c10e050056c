package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.MotionSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Odometry errs as the motion model says, and wheels slip besides. */
@Quick
class SlipDetectorTest {

  private static final long SEED = 5;

  private final MotionSettings motion = Settings.defaults(FilterSettings.class).motion();
  private final SlipDetector slipDetector =
      new SlipDetector(Settings.defaults(FilterSettings.class).odometry().odds());
  private final Random random = new Random(SEED);

  /** True if slip is found in a key frame whose way by the laser is that share of odometry's. */
  private boolean step(Pose byOdometry, double share) {
    MotionModel usual = MotionModel.of(motion, byOdometry);
    Pose byLaser =
        new Pose(
            share * byOdometry.x() + usual.ahead() * random.nextGaussian(),
            share * byOdometry.y() + usual.left() * random.nextGaussian(),
            byOdometry.theta());
    slipDetector.compare(byOdometry, byLaser, usual, Pose.ORIGIN.distance(byOdometry) > 0);
    slipDetector.keyFrame();
    return slipDetector.isFound();
  }

  @ParameterizedTest(name = "steps of {0} m")
  @ValueSource(doubles = {0.02, 0.1, 1})
  void errorsThatComeAndGoAreNoSlip(double metres) {
    for (int i = 0; i < 20_000; i++) {
      assertThat(step(new Pose(metres, 0, 0.01), 1)).as("step %d of seed %d", i, SEED).isFalse();
    }
  }

  @ParameterizedTest(name = "steps of {0} m to {1} degrees")
  @CsvSource({"0.07, 0", "0.07, 180", "0.07, 60", "0.25, 0"})
  void wheelsThatSlipByAFifthAreFoundWithinFourMetresMostly(double metres, double degrees) {
    double direction = StrictMath.toRadians(degrees);
    Pose step = new Pose(metres * StrictMath.cos(direction), metres * StrictMath.sin(direction), 0);
    int found = 0;
    for (int stretch = 0; stretch < 100; stretch++) {
      boolean seen = false;
      for (double way = 0; way < 4; way += metres) {
        seen |= step(step, 0.8);
      }
      found += seen ? 1 : 0;
      for (int i = 0; i < 50; i++) {
        step(step, 1);
      }
    }
    assertThat(found).as("stretches of 100, seed %d", SEED).isGreaterThan(80);
  }

  @Test
  void aRobotThatHaltsAfterASlipHasNotSlippedMore() {
    for (int i = 0; i < 20; i++) {
      step(new Pose(0.25, 0, 0), -1);
    }
    assertThat(step(Pose.ORIGIN, 1)).isFalse();
  }

  @ParameterizedTest(name = "after {0} steps")
  @ValueSource(ints = {1, 10, 1000})
  void wheelsThatCountBackwardsAreFoundAtOnceAndBelievedSoonAfterwards(int steps) {
    Pose step = new Pose(0.1, 0, 0);
    for (int i = 0; i < steps; i++) {
      assertThat(step(step, -1)).isTrue();
    }
    for (int i = 0; i < 10; i++) {
      step(step, 1);
    }
    assertThat(step(step, 1)).isFalse();
  }

  private boolean another(double farther, double nats) {
    slipDetector.discard(); // A new reading.
    boolean isProved = slipDetector.isProved(farther, nats);
    slipDetector.keyFrame();
    return isProved;
  }

  /** 15 nats are asked for, and soon after a slip half of that. */
  @Test
  void whatSpeaksForAnotherMatchAddsUpOverKeyFrames() {
    assertThat(another(-0.3, 16)).isTrue();
    slipDetector.discard();
    slipDetector.keyFrame();
    assertThat(another(-0.3, 9)).isFalse();
    assertThat(another(-0.2, 9)).as("the second").isTrue();
    assertThat(another(0.3, 9)).as("to the other side").isFalse();
    slipDetector.discard();
    slipDetector.keyFrame();
    assertThat(another(0.3, 9)).as("after a key frame without").isFalse();
    assertThat(another(0.3, 7)).as("too little of its own").isFalse();

    slipDetector.slipped();
    slipDetector.discard();
    slipDetector.keyFrame();
    assertThat(another(0.3, 8)).as("slippery").isTrue();
  }
}
