package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class BeamsTest {

  private static final double UNITS_PER_METRE = 5120;
  private static final double MAX_METRES = 4;

  /** What a laser ahead sees of walls a metre to its left and right that never end. */
  private static Beams corridor() {
    float[] ranges = new float[181];
    for (int i = 0; i < ranges.length; i++) {
      double sine = Math.abs(Math.sin(Math.toRadians(i - 90)));
      ranges[i] = (float) Math.min(MAX_METRES, 1 / sine);
    }
    double degree = Math.toRadians(1);
    Scan scan = new Scan(Pose.ORIGIN, -90 * degree, degree, 0.01, MAX_METRES, ranges);
    return Beams.of(scan, UNITS_PER_METRE, degree);
  }

  @ParameterizedTest(name = "{0} degrees")
  @ValueSource(ints = {0, 30, 45, 90, 180})
  void wallsTellOfTheWayByTheSquaredSineOfTheAngleBetween(int degrees) {
    double sine = Math.sin(Math.toRadians(degrees));
    assertThat(corridor().across(Math.toRadians(degrees), UNITS_PER_METRE))
        .isCloseTo(sine * sine, within(1e-6));
  }

  @ParameterizedTest(name = "{0} degrees, then turned by {1}")
  @CsvSource({"0, 0, false", "180, 0, false", "3, 0, false", "30, 0, true", "30, 30, false"})
  void aCorridorTellsHowFarAMotionLedUnlessItWentAlongside(int went, int turned, boolean told) {
    double direction = Math.toRadians(went);
    Pose motion = new Pose(Math.cos(direction), Math.sin(direction), Math.toRadians(turned));
    assertThat(corridor().constrainTravel(motion, UNITS_PER_METRE)).isEqualTo(told);
  }

  @Test
  void someBeamsTellAsMuchAsAll() {
    Beams all = corridor();
    double allTell = all.evidence() * all.count();
    for (int max : new int[] {1, 7, 50, all.count() - 1}) {
      Beams some = new Beams(all.count(), all.view(), 0.001, all.x(), all.y()).atMost(max);
      assertThat(some.count()).isBetween(max / 2, max);
      assertThat(some.count() * some.evidence()).isCloseTo(0.001 * all.count(), within(1e-12));
      assertThat(all.x()).contains(some.x());
      assertThat(some.y()).hasSize(some.count()).startsWith(all.y()[0]);
    }
    assertThat(all.atMost(all.count()).x()).isEqualTo(Arrays.copyOf(all.x(), all.count()));
    // A beam that is independent of all others cannot count for two.
    assertThat(all.atMost(10).evidence() * 10).isLessThan(allTell);
  }

  @Test
  void whereNothingIsSeenNothingIsTold() {
    float[] ranges = new float[181];
    Arrays.fill(ranges, (float) MAX_METRES);
    Scan scan = new Scan(Pose.ORIGIN, 0, 0.01, 0.01, MAX_METRES, ranges);
    assertThat(Beams.of(scan, UNITS_PER_METRE, 0.01).across(0, UNITS_PER_METRE)).isZero();
  }
}
