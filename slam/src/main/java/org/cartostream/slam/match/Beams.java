package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * The end points of a scan's hits, seen from the robot's base, in map units, not yet rounded to
 * whole ones.
 *
 * <p>Made once per step and shared by all particles of a partition.
 *
 * <p>Neighbouring beams see the same wall and have correlated errors: n of them are worth less than
 * n independent ones. So evidence is counted by angle: a beam counts as the angle to its neighbour
 * divided by the angle at which beams are taken to be independent.
 *
 * @param count number of hits
 * @param view angle from the first beam of the scan to the last, radians
 * @param evidence number of independent observations that each hit counts for, at most 1
 * @param x per hit, map units (1/256 cell); longer than {@code count} where beams met nothing
 * @param y per hit, as {@code x}
 */
public record Beams(int count, double view, double evidence, double[] x, double[] y) {

  /**
   * Distance between two hits that give the direction of a wall; hits more than twice as far apart
   * may be on two walls.
   */
  private static final double WALL_METRES = 0.3;

  /** Minimum of {@link #across} at which the scan constrains the distance that the robot drove. */
  private static final double TELLING = 0.03;

  /**
   * @param unitsPerMetre map units per metre
   * @param independentRadians angle between beams that err independently
   */
  public static Beams of(Scan scan, double unitsPerMetre, double independentRadians) {
    double[] x = new double[scan.beams()];
    double[] y = new double[scan.beams()];
    Pose mount = scan.mount();
    double cos = StrictMath.cos(mount.theta());
    double sin = StrictMath.sin(mount.theta());
    int count = 0;
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = scan.startAngle() + i * scan.angleStep();
        double ahead = scan.ranges()[i] * StrictMath.cos(angle);
        double left = scan.ranges()[i] * StrictMath.sin(angle);
        x[count] = unitsPerMetre * (mount.x() + cos * ahead - sin * left);
        y[count] = unitsPerMetre * (mount.y() + sin * ahead + cos * left);
        count++;
      }
    }
    double evidence = scan.beams() == 1 ? 1 : Math.abs(scan.angleStep()) / independentRadians;
    double view = Math.abs(scan.angleStep()) * (scan.beams() - 1);
    return new Beams(count, view, Math.min(1, evidence), x, y);
  }

  /**
   * Returns at most {@code max} of the hits, evenly spread; their evidence is raised to that of all
   * hits.
   */
  public Beams atMost(int max) {
    if (count <= max && x.length == count) {
      return this;
    }
    int stride = Math.max(1, (count + max - 1) / max);
    int left = (count + stride - 1) / stride;
    double[] someX = new double[left];
    double[] someY = new double[left];
    for (int i = 0; i < left; i++) {
      someX[i] = x[i * stride];
      someY[i] = y[i * stride];
    }
    return new Beams(left, view, Math.min(1, evidence * count / left), someX, someY);
  }

  /**
   * Returns true if the scan constrains how far the robot drove. In a corridor of parallel walls it
   * does not: every place along it looks alike.
   *
   * @param motion to the present pose, in the frame of the base at the motion's start
   */
  public boolean constrainTravel(Pose motion, double unitsPerMetre) {
    double direction = StrictMath.atan2(motion.y(), motion.x()) - motion.theta();
    return across(direction, unitsPerMetre) > TELLING;
  }

  /**
   * Returns how well the scan constrains the robot's position along a direction: the squared sine
   * of the angle between the direction and the wall at a hit, mean over the hits (the point-to-line
   * information of A. Censi, On achievable accuracy for range-finder localization, 2007). 0 between
   * walls parallel to the direction, 1 before a perpendicular wall.
   *
   * @param direction in the frame of the robot's base, radians
   */
  double across(double direction, double unitsPerMetre) {
    double cos = StrictMath.cos(direction);
    double sin = StrictMath.sin(direction);
    double wall = square(WALL_METRES * unitsPerMetre);
    double sum = 0;
    int onWalls = 0;
    int end = 0;
    for (int i = 0; i < count; i++) {
      while (end < count && squareDistance(i, end) < wall) {
        end++;
      }
      if (end < count && squareDistance(i, end) < 4 * wall) {
        sum += square((y[end] - y[i]) * cos - (x[end] - x[i]) * sin) / squareDistance(i, end);
        onWalls++;
      }
    }
    return onWalls == 0 ? 0 : sum / onWalls;
  }

  /**
   * Returns the squared distance between two hits. Each reading needs many; square roots would
   * dominate the cost.
   */
  private double squareDistance(int i, int j) {
    return square(x[j] - x[i]) + square(y[j] - y[i]);
  }

  private static double square(double value) {
    return value * value;
  }
}
