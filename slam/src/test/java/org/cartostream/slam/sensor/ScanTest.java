package org.cartostream.slam.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ScanTest {

  private static Scan scan(double maxRange, float... ranges) {
    return new Scan(Pose.ORIGIN, 0, 0.1, 0.1, maxRange, ranges);
  }

  @Test
  void whatLiesBelowTheMaximumIsAHitAndNothingWasMetFromThereOn() {
    Scan scan = scan(5.6, 5.59f, 5.6f, Float.POSITIVE_INFINITY);

    assertThat(scan.isHit(0)).isTrue();
    assertThat(scan.isMiss(0)).isFalse();
    assertThat(scan.isHit(1) || scan.isHit(2)).isFalse();
    assertThat(scan.isMiss(1) && scan.isMiss(2)).isTrue();
  }

  @Test
  void aRangeOfZeroSaysNothingWhateverTheMinimumSays() {
    for (double minimum : new double[] {0, 1e-9, 0.01, 0.1}) {
      Scan scan = new Scan(Pose.ORIGIN, 0, 0.1, minimum, 10, new float[] {0, -0f, 1e-6f, 0.5f});

      assertThat(scan.isHit(0) || scan.isHit(1) || scan.isHit(2))
          .as("from %s m", minimum)
          .isFalse();
      assertThat(scan.isMiss(0) || scan.isMiss(1) || scan.isMiss(2)).isFalse();
      assertThat(scan.isHit(3)).isTrue();
    }
  }

  @Test
  void beyondTheReachOfAnyLaserNothingWasMetWhateverTheMaximumSays() {
    for (double open : new double[] {301, 1e9, Float.MAX_VALUE, Double.POSITIVE_INFINITY}) {
      Scan scan = scan(open, 299.9f, 300, 327.67f, 1e9f, Float.MAX_VALUE, Float.NaN);

      assertThat(scan.isHit(0)).as("299.9 m below %s m", open).isTrue();
      for (int i = 1; i < 5; i++) {
        assertThat(scan.isHit(i)).as("%s m below %s m", scan.ranges()[i], open).isFalse();
        assertThat(scan.isMiss(i)).as("%s m below %s m", scan.ranges()[i], open).isTrue();
      }
      assertThat(scan.isHit(5) || scan.isMiss(5)).as("NaN says nothing").isFalse();
    }
  }
}
