package org.cartostream.sim.world;

import org.cartostream.slam.geometry.Pose;

/**
 * A planar laser.
 *
 * @param mount its place on the robot's base
 * @param beams how many
 * @param startAngle of the first beam, radians
 * @param angleStep from one beam to the next, radians
 * @param minRange metres
 * @param maxRange metres
 * @param rangeStd standard deviation of a range, metres
 * @param periodSeconds from one scan to the next
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

  /** 180 beams over 270 degrees, up to 8 m, twice a second. */
  public static Lidar usual() {
    double step = USUAL_VIEW / (USUAL_BEAMS - 1);
    return new Lidar(new Pose(0.1, 0, 0), USUAL_BEAMS, -USUAL_VIEW / 2, step, 0.05, 8, 0.01, 0.5);
  }
}
