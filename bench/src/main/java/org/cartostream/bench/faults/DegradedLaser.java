package org.cartostream.bench.faults;

import java.util.function.UnaryOperator;
import org.cartostream.sim.log.Recording;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Laser that sees less: makes of a real building's log what such a laser would have recorded there.
 */
enum DegradedLaser {

  /** Range of the smallest lasers of service robots. */
  FOUR_METRES(scan -> upTo(scan, 4)),

  /** Field of view of a depth camera. */
  SEVENTY_DEGREES(scan -> middle(scan, StrictMath.toRadians(70))),

  /** Angular resolution of a ring of rangefinders. */
  EVERY_FOURTH_BEAM(scan -> every(scan, 4));

  private final UnaryOperator<Scan> sees;

  DegradedLaser(UnaryOperator<Scan> sees) {
    this.sees = sees;
  }

  /** Returns a log as this laser would have recorded it. */
  Recording applyTo(Recording log) {
    return new Recording(log.readings().stream().map(this::applyTo).toList(), log.reference());
  }

  /** Returns a reading with what this laser sees of its scan. */
  Reading applyTo(Reading reading) {
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

  /** Keeps the beams in the middle of a scan that together span an angle. */
  private static Scan middle(Scan scan, double radians) {
    double steps = StrictMath.rint(radians / Math.abs(scan.angleStep()));
    int left = (int) Math.min(scan.beams(), 1 + steps);
    return part(scan, (scan.beams() - left) / 2, 1, left);
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
