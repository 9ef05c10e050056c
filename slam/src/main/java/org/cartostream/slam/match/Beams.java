package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * The end points of a scan's hits, seen from the robot's base, in map units, not yet rounded to
 * whole ones.
 *
 * <p>Made once per step and shared by all particles of a partition.
 *
 * <p>Beams close to each other see the same wall and err alike: n of them are worth less than n
 * independent ones would. So evidence is counted by angle: a beam counts for the angle to its
 * neighbour, as a share of the angle at which beams are taken for independent.
 *
 * @param count number of hits
 * @param view from the first beam of the scan to the last, radians
 * @param evidence how many independent observations each hit counts for, at most 1
 * @param x per hit, map units (1/256 cell); longer than {@code count} where beams met nothing
 * @param y the same
 */
public record Beams(int count, double view, double evidence, double[] x, double[] y) {

  /** Hits so far apart show which way a wall goes; much further apart, they may be on two. */
  private static final double WALL_METRES = 0.3;

  /** Share of the walls in view that must stand across the way for them to tell how far it was. */
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
   * Returns so many of the hits at most, evenly spread, which count for those that are left out,
   * too.
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
   * True if what is seen tells how far a motion has led: between walls that go alongside, one place
   * looks like the next.
   *
   * @param motion that led here, in the frame of the base where it began
   */
  public boolean constrainTravel(Pose motion, double unitsPerMetre) {
    double direction = StrictMath.atan2(motion.y(), motion.x()) - motion.theta();
    return across(direction, unitsPerMetre) > TELLING;
  }

  /**
   * Returns how much of what is seen tells where the robot is along a direction: the squared sine
   * of the angle between it and the wall that a hit is on, mean over the hits (their part of the
   * point-to-line information of A. Censi, On achievable accuracy for range-finder localization,
   * 2007). 0 between walls that go alongside, 1 before one that stands across.
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

  /** Every reading asks for many: a root of each would cost more than all the rest. */
  private double squareDistance(int i, int j) {
    return square(x[j] - x[i]) + square(y[j] - y[i]);
  }

  private static double square(double value) {
    return value * value;
  }
}
