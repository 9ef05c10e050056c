package org.cartostream.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class DegradedLaserTest {

  private static final Reading SEES_HALF_A_TURN =
      new Reading(7, new Pose(1, 2, 0.5), scan(-Math.PI / 2, Math.toRadians(1), 181));

  private static Scan scan(double startAngle, double angleStep, int beams) {
    float[] ranges = new float[beams];
    for (int i = 0; i < beams; i++) {
      ranges[i] = 1 + i * 0.05f;
    }
    return new Scan(Pose.ORIGIN, startAngle, angleStep, 0.01, 50, ranges);
  }

  @Test
  void meetsNothingBeyondFourMetres() {
    Scan scan = DegradedLaser.FOUR_METRES.applyTo(SEES_HALF_A_TURN).scan();

    assertThat(scan.isHit(59)).as("3.95 m").isTrue();
    assertThat(scan.isHit(61)).as("4.05 m").isFalse();
    assertThat(scan.isMiss(61)).as("4.05 m").isTrue();
  }

  @Test
  void seesTheMiddleSeventyDegrees() {
    Scan scan = DegradedLaser.SEVENTY_DEGREES.applyTo(SEES_HALF_A_TURN).scan();

    assertThat(scan.beams()).isEqualTo(71);
    assertThat(Math.toDegrees(scan.startAngle())).isCloseTo(-35, within(1e-9));
    assertThat(scan.ranges()[0]).as("55 degrees from the first").isEqualTo(1 + 55 * 0.05f);
  }

  @Test
  void seesAlongEveryFourthBeam() {
    Scan scan = DegradedLaser.EVERY_FOURTH_BEAM.applyTo(SEES_HALF_A_TURN).scan();

    assertThat(scan.beams()).isEqualTo(46);
    assertThat(Math.toDegrees(scan.angleStep())).isCloseTo(4, within(1e-9));
    assertThat(scan.ranges()[45]).as("the last").isEqualTo(1 + 180 * 0.05f);
  }
}
