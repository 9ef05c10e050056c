package org.cartostream.slam.trajectory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Quick
class CorrectionTest {

  /** -0.0 + 0 would be 0, and an angle beyond π would be wrapped. */
  @Test
  void noneLeavesAPoseAsItIs() {
    Pose local = new Pose(-0.0, 0.1 + 0.2, 4);
    assertThat(Correction.NONE.apply(local)).isSameAs(local);
  }

  /** A quarter turn about the origin, then 10 m along x: (2, 1) goes to (-1, 2), then (9, 2). */
  @Test
  void carriesALocalPoseToTheMap() {
    Pose pose =
        new Correction(1, new Pose(10, 0, Math.PI / 2), 8.06).apply(new Pose(2, 1, Math.PI / 4));
    assertThat(pose.x()).isCloseTo(9, within(1e-12));
    assertThat(pose.y()).isCloseTo(2, within(1e-12));
    assertThat(pose.theta()).isCloseTo(3 * Math.PI / 4, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 0", "1, NaN, 0", "1, 0, -0.1", "1, 0, NaN", "1, 0, Infinity", "0, 1, 0"})
  void refusesWhatIsNone(int number, double x, double movedMetres) {
    assertThatThrownBy(() -> new Correction(number, new Pose(x, 0, 0), movedMetres))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("correction " + number);
  }
}
