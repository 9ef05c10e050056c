package org.cartostream.sim.world;

import org.cartostream.slam.geometry.Pose;

/**
 * Properties of a planar laser.
 *
 * @param mount pose of the laser on the robot's base
 * @param beams number of beams of a scan
 * @param startAngle angle of the first beam, radians
 * @param angleStep angle from one beam to the next, radians
 * @param minRange smallest range that the laser measures, metres
 * @param maxRange largest range, metres; also given where a beam hits nothing
 * @param rangeStd standard deviation σ of a range, metres
 * @param periodSeconds time from one scan to the next
 */
public record Lidar(
    Pose mount,
    int beams,
    double startAngle,
    double angleStep,
    double minRange,
    double maxRange,
    double rangeStd,
    double periodSeconds) {

  private static final int USUAL_BEAMS = 180;
  private static final double USUAL_VIEW = StrictMath.toRadians(270);

  /** Returns a laser with 180 beams over 270 degrees, up to 8 m, twice a second. */
  public static Lidar usual() {
    double step = USUAL_VIEW / (USUAL_BEAMS - 1);
    return new Lidar(new Pose(0.1, 0, 0), USUAL_BEAMS, -USUAL_VIEW / 2, step, 0.05, 8, 0.01, 0.5);
  }
}
