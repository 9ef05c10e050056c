package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * The free space that one scan saw around its laser.
 *
 * @param laser pose of the laser
 * @param scan the scan that was taken there
 */
public record FreeSpaceView(Pose laser, Scan scan) {

  /**
   * Distance in front of a wall from which a place is called free: metres, and a share of range.
   */
  private static final double MARGIN_METRES = 0.1;

  private static final double MARGIN_SHARE = 0.01;

  /** Least number of beams' ends in the other's view for two views to be compared. */
  private static final int MIN_COMPARED = 30;

  /** State of a place as seen by the scan. */
  enum SpaceState {
    /** The place is outside the scan's view, or the beams there met nothing. */
    UNKNOWN,
    /** The beams next to the place ended beyond it. */
    FREE,
    /** A beam next to the place ended there or before it. */
    NOT_FREE
  }

  /**
   * @param robot pose of the robot's base at which the scan was taken
   */
  public static FreeSpaceView of(Pose robot, Scan scan) {
    return new FreeSpaceView(robot.then(scan.mount()), scan);
  }

  /**
   * Returns the share of both scans' ends of beams that lie in the free space of the other, of
   * those in its view, 0 to 1; -1 if too few are.
   */
  public double contradicted(FreeSpaceView other) {
    int[] states = new int[SpaceState.values().length];
    count(other, states);
    other.count(this, states);
    int free = states[SpaceState.FREE.ordinal()];
    int compared = free + states[SpaceState.NOT_FREE.ordinal()];
    return compared < MIN_COMPARED ? -1 : (double) free / compared;
  }

  /** Counts the states of this scan's ends of beams in another view. */
  private void count(FreeSpaceView other, int[] states) {
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i)) {
        double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
        double x = laser.x() + scan.ranges()[i] * StrictMath.cos(angle);
        double y = laser.y() + scan.ranges()[i] * StrictMath.sin(angle);
        states[other.at(x, y).ordinal()]++;
      }
    }
  }

  /** Returns the state of (x, y), metres, by the two beams next to it: the shorter one decides. */
  SpaceState at(double x, double y) {
    double dx = x - laser.x();
    double dy = y - laser.y();
    double turn = Pose.wrap(StrictMath.atan2(dy, dx) - laser.theta() - scan.startAngle());
    double beam = turn / scan.angleStep();
    if (beam < 0) {
      beam += 2 * StrictMath.PI / Math.abs(scan.angleStep());
    }
    // Compared before it is rounded: with a tiny angle step it is larger than any int.
    if (!(beam < scan.beams() - 1)) {
      return SpaceState.UNKNOWN;
    }
    int before = (int) beam;
    if (!scan.isHit(before) || !scan.isHit(before + 1)) {
      return SpaceState.UNKNOWN;
    }
    double range = Math.min(scan.ranges()[before], scan.ranges()[before + 1]);
    double free = range - MARGIN_METRES - MARGIN_SHARE * range;
    return dx * dx + dy * dy < free * Math.abs(free) ? SpaceState.FREE : SpaceState.NOT_FREE;
  }
}
