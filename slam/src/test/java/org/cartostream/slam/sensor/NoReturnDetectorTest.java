package org.cartostream.slam.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class NoReturnDetectorTest {

  private static final long SEED = 19;

  private final NoReturnDetector noReturnDetector = new NoReturnDetector();

  private static Scan scan(float... ranges) {
    return new Scan(Pose.ORIGIN, -1, 0.1, 0.1, 100, ranges);
  }

  @Test
  void largerRangesTakeACodeBackHoweverSlowlyTheyGrow() {
    noReturnDetector.add(scan(8, 8, 8, 8, 8, 2));
    assertThat(noReturnDetector.range()).hasValue(8);
    noReturnDetector.add(scan(8.07f, 2));
    noReturnDetector.add(scan(8.14f, 2));
    assertThat(noReturnDetector.range()).isEmpty();
  }

  /** The end of a corridor, 2 m wide, to the centimetre, half a degree from beam to beam. */
  private static Scan corridor(Random random, double metres) {
    float[] ranges = new float[361];
    for (int i = 0; i < ranges.length; i++) {
      double angle = Math.toRadians(i / 2.0 - 90);
      double end = metres / Math.cos(angle);
      double side = 1 / Math.abs(Math.sin(angle));
      double noisy = Math.min(end, side) + 0.004 * random.nextGaussian();
      ranges[i] = (float) (Math.rint(100 * noisy) / 100);
    }
    return new Scan(Pose.ORIGIN, -Math.PI / 2, Math.toRadians(0.5), 0.1, 100, ranges);
  }

  /** It is the only wall that tells how far the robot went. */
  @Test
  void theEndOfACorridorThatARobotBacksAwayFromStaysAWall() {
    Random random = new Random(SEED);
    for (int standing = 0; standing < 500; standing++) {
      noReturnDetector.add(corridor(random, 8));
    }
    int lost = 0;
    int all = 0;
    for (double metres = 8; metres < 20; metres += 0.05) {
      Scan scan = corridor(random, metres);
      noReturnDetector.add(scan);
      Scan seen = scan.upTo(noReturnDetector.range().orElse(scan.maxRange()));
      for (int i = 0; i < scan.beams(); i++) {
        if (scan.ranges()[i] > 0.99 * metres) {
          all++;
          lost += seen.isHit(i) ? 0 : 1;
        }
      }
    }
    assertThat(lost).as("of %d; seed %d", all, SEED).isLessThan(all / 20);
  }

  @Test
  void aCodeIsKnownAfterErrorsToo() {
    Random random = new Random(SEED);
    for (double metres = 4; metres < 7; metres += 0.05) {
      noReturnDetector.add(corridor(random, metres));
    }
    for (int i = 0; i < 100; i++) {
      noReturnDetector.add(scan(8.19f, 8.19f, 8.19f, 8.19f, 8.19f, 8.19f, 8.18f, 2, 3));
    }
    assertThat(noReturnDetector.range()).hasValue(8.19f);
  }
}
