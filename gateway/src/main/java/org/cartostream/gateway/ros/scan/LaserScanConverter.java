package org.cartostream.gateway.ros.scan;

import static org.cartostream.gateway.ros.scan.RosRefusal.ALL_BEAMS_INVALID;
import static org.cartostream.gateway.ros.scan.RosRefusal.BAD_ANGLES;
import static org.cartostream.gateway.ros.scan.RosRefusal.BAD_RANGE_LIMITS;
import static org.cartostream.gateway.ros.scan.RosRefusal.LASER_NOT_LEVEL;
import static org.cartostream.gateway.ros.scan.RosRefusal.NO_BEAMS;

import java.util.Locale;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;

/** Converter of LaserScan messages, after checks, into scans as seen from the base. */
final class LaserScanConverter {

  /**
   * Maximum error of angle_max, in angle steps. Drivers count their beams in three ways; the
   * Velodyne's ({@code velodyne_laserscan}) may have up to two beams fewer than a full turn needs.
   * Rounding of float angles adds far less than 0.1.
   */
  private static final double ANGLE_TOLERANCE_STEPS = 2.1;

  /** Least cosine of a level laser, as in slam_gmapping: its z axis may lean by 2.5 degrees. */
  private static final double LEVEL = 0.999;

  private final double maxUsableRangeMetres;

  LaserScanConverter(double maxUsableRangeMetres) {
    this.maxUsableRangeMetres =
        maxUsableRangeMetres > 0 ? maxUsableRangeMetres : Double.POSITIVE_INFINITY;
  }

  /** Returns why a scan cannot be used, wherever the laser is mounted; null if it can. */
  Refusal.Reason unusable(LaserScan scan) {
    int beams = scan.ranges().length;
    if (beams == 0) {
      return NO_BEAMS.because("0 ranges");
    }
    double step = scan.angleIncrement();
    double behind = scan.angleMin() + (beams - 1) * step - scan.angleMax();
    // Written so that a NaN does not pass.
    boolean stepsFit = step != 0 && Math.abs(behind) <= ANGLE_TOLERANCE_STEPS * Math.abs(step);
    if (!Float.isFinite(scan.angleMin()) || (beams > 1 && !stepsFit)) {
      return BAD_ANGLES.because(
          "%d ranges from %s to %s rad in steps of %s"
              .formatted(beams, scan.angleMin(), scan.angleMax(), scan.angleIncrement()));
    }
    if (!(scan.rangeMin() >= 0 && scan.rangeMax() > scan.rangeMin())) {
      return BAD_RANGE_LIMITS.because(
          "range_min " + scan.rangeMin() + " m, range_max " + scan.rangeMax() + " m");
    }
    float maxRange = (float) maxRange(scan); // As a scan compares.
    for (float range : scan.ranges()) {
      boolean isHit = range >= Math.max(scan.rangeMin(), Scan.NEAREST_METRES) && range < maxRange;
      if (isHit || isFreeUpToRange(range, maxRange)) {
        return null;
      }
    }
    return ALL_BEAMS_INVALID.because(beams + " beams");
  }

  /** Returns why a laser with this mount cannot be used; null if it can. */
  static Refusal.Reason unusable(RigidTransform mount) {
    double upwards = mount.upwards();
    return Math.abs(upwards) >= LEVEL
        ? null
        : LASER_NOT_LEVEL.because(
            String.format(
                Locale.ROOT,
                "its z axis leans by %.0f degrees",
                Math.toDegrees(StrictMath.acos(upwards))));
  }

  /**
   * Converts a message to a scan; the beams of an upside-down laser have the opposite order of
   * angles.
   */
  Scan read(LaserScan scan, RigidTransform mount) {
    double turn = mount.upwards() > 0 ? 1 : -1;
    return new Scan(
        mount.planar(),
        turn * scan.angleMin(),
        turn * scan.angleIncrement(),
        scan.rangeMin(),
        maxRange(scan),
        withInfinity(scan.ranges(), (float) maxRange(scan)));
  }

  /**
   * True if a beam is known to have met nothing within a range: if it is +Infinity (REP 117), or if
   * the settings limit the usable range and this range is greater.
   */
  private boolean isFreeUpToRange(float range, float maxRange) {
    return range == Float.POSITIVE_INFINITY
        || Double.isFinite(maxUsableRangeMetres) && range >= maxRange;
  }

  /** Returns the ranges, with +Infinity for each beam that is known to have met nothing. */
  private float[] withInfinity(float[] ranges, float maxRange) {
    if (!Double.isFinite(maxUsableRangeMetres)) {
      return ranges;
    }
    float[] all = ranges.clone();
    for (int i = 0; i < all.length; i++) {
      all[i] = isFreeUpToRange(all[i], maxRange) ? Float.POSITIVE_INFINITY : all[i];
    }
    return all;
  }

  private double maxRange(LaserScan scan) {
    return Math.min(scan.rangeMax(), maxUsableRangeMetres);
  }
}
