package org.cartostream.slam.sensor;

import org.cartostream.slam.geometry.Pose;

/**
 * A room that tests look at: straight walls, and a laser whose beams are cut with each of them.
 *
 * @param walls from (x0, y0) to (x1, y1) each, metres
 */
public record Room(double[][] walls) {

  private static final double MIN_METRES = 0.01;
  private static final double MAX_METRES = 30;

  /** A laser on the robot's base: how wide it looks and how finely. */
  public record Laser(Pose mount, double startAngle, double angleStep, int beams) {

    /** A beam each degree, all around. */
    public static final Laser FULL_TURN = ahead(360);

    /** A beam each degree, so many in all, as many to the left as to the right. */
    public static Laser ahead(int beams) {
      double step = StrictMath.toRadians(1);
      return new Laser(Pose.ORIGIN, -step * (beams - 1) / 2, step, beams);
    }
  }

  /**
   * Seven metres by five without its upper right corner, a box and a pillar in it: no other pose
   * sees what one pose sees. Within 1.5 m of the origin nothing is in the way.
   */
  public static Room askew() {
    double[][] walls = {
      {-3, -2, 4, -2},
      {4, -2, 4, 1},
      {4, 1, 2.2, 1},
      {2.2, 1, 2.2, 3},
      {2.2, 3, -3, 3},
      {-3, 3, -3, -2},
      {-2.4, 1.3, -1.6, 1.3},
      {-2.4, 1.3, -2.4, 2.4},
      {-2.4, 2.4, -1.6, 2.4},
      {-1.6, 2.4, -1.6, 1.3},
      {2.6, -1.1, 2.9, -0.8},
      {2.9, -0.8, 3.1, -1.2},
      {3.1, -1.2, 2.6, -1.1}
    };
    return new Room(walls);
  }

  /** What {@code laser} sees from where the robot stands. */
  public Scan scan(Pose robot, Laser laser) {
    Pose from = robot.then(laser.mount);
    float[] ranges = new float[laser.beams];
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = (float) range(from, laser.startAngle + i * laser.angleStep);
    }
    return new Scan(laser.mount, laser.startAngle, laser.angleStep, MIN_METRES, MAX_METRES, ranges);
  }

  /** Metres to the nearest wall; infinite where there is none. */
  private double range(Pose from, double angle) {
    double ahead = Math.cos(from.theta() + angle);
    double left = Math.sin(from.theta() + angle);
    double nearest = Double.POSITIVE_INFINITY;
    for (double[] wall : walls) {
      double alongX = wall[2] - wall[0];
      double alongY = wall[3] - wall[1];
      double toX = wall[0] - from.x();
      double toY = wall[1] - from.y();
      double cross = ahead * alongY - left * alongX;
      double range = (toX * alongY - toY * alongX) / cross;
      double share = (toX * left - toY * ahead) / cross;
      if (range > 0 && share >= 0 && share <= 1) {
        nearest = Math.min(nearest, range);
      }
    }
    return nearest;
  }

  /** A scan whose beams run the other way round. */
  public static Scan mirrored(Scan scan) {
    return new Scan(
        scan.mount(),
        -scan.startAngle(),
        -scan.angleStep(),
        scan.minRange(),
        scan.maxRange(),
        scan.ranges());
  }
}
