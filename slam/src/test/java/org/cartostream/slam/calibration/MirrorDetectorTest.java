package org.cartostream.slam.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MirrorDetectorTest {

  private static final double DEVIATION = 0.05;
  private static final double ODDS = 15;

  private final MirrorDetector mirror = new MirrorDetector(ODDS);

  private void turn(double byOdometry, double byLaser) {
    mirror.keyFrame(byOdometry, byLaser, DEVIATION);
  }

  @Test
  void findsTurnsThatGoTheOtherWayOnceSixteenHaveDone() {
    for (int i = 0; i < 16; i++) {
      assertThat(mirror.isMirrored()).isFalse();
      turn(i % 2 == 0 ? 0.3 : -0.2, i % 2 == 0 ? -0.3 : 0.2);
    }
    assertThat(mirror.isMirrored()).isTrue();
  }

  @Test
  void turnsThatWereRightCountAsMuchAsThoseThatAreNot() {
    for (int i = 0; i < 10; i++) {
      turn(0.3, 0.3);
    }
    for (int i = 0; i < 25; i++) {
      turn(0.3, -0.3);
    }
    assertThat(mirror.isMirrored()).isFalse();
    turn(0.3, -0.3);
    assertThat(mirror.isMirrored()).isTrue();
  }

  /** Half a turn is the same to either side. */
  @Test
  void nothingElseThatOdometryDoesIsTakenForIt() {
    Random random = new Random(29);
    for (int i = 0; i < 10_000; i++) {
      turn(0.3, 0); // Wheels that spin.
      turn(0, 0.3); // Encoders that freeze.
      turn(0.3, 0.1);
      turn(0.3, -0.1);
      turn(Math.PI, Math.PI);
      turn(0.01 * random.nextGaussian(), 0.01 * random.nextGaussian()); // It stands.
      assertThat(mirror.isMirrored()).as("seed 29, round " + i).isFalse();
    }
  }
}
