package org.cartostream.sim;

import java.util.function.UnaryOperator;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/** What a log would be had the robot carried a laser that sees less, in a real building. */
public enum LesserLaser {

  /** As far as the smallest lasers of service robots. */
  FOUR_METRES(scan -> upTo(scan, 4)),

  /** As wide as a depth camera. */
  SEVENTY_DEGREES(scan -> ahead(scan, StrictMath.toRadians(70))),

  /** As coarse as a ring of rangefinders. */
  EVERY_FOURTH_BEAM(scan -> every(scan, 4));

  private final UnaryOperator<Scan> sees;

  LesserLaser(UnaryOperator<Scan> sees) {
    this.sees = sees;
  }

  /** The reading with what is left of its scan. */
  Reading of(Reading reading) {
    return new Reading(reading.stampNanos(), reading.odometry(), sees.apply(reading.scan()));
  }

  private static Scan upTo(Scan scan, double metres) {
    return new Scan(
        scan.mount(),
        scan.startAngle(),
        scan.angleStep(),
        scan.minRange(),
        Math.min(metres, scan.maxRange()),
        scan.ranges());
  }

  /** The beams in the middle. */
  private static Scan ahead(Scan scan, double radians) {
    int left = (int) (radians / Math.abs(scan.angleStep())) + 1;
    return part(scan, Math.max(0, (scan.beams() - left) / 2), 1, Math.min(left, scan.beams()));
  }

  private static Scan every(Scan scan, int stride) {
    return part(scan, 0, stride, (scan.beams() + stride - 1) / stride);
  }

  private static Scan part(Scan scan, int first, int stride, int count) {
    float[] ranges = new float[count];
    for (int i = 0; i < count; i++) {
      ranges[i] = scan.ranges()[first + i * stride];
    }
    return new Scan(
        scan.mount(),
        scan.startAngle() + first * scan.angleStep(),
        stride * scan.angleStep(),
        scan.minRange(),
        scan.maxRange(),
        ranges);
  }
}
