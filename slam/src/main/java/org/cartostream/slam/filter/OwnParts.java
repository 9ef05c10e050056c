package org.cartostream.slam.filter;

import java.util.Arrays;
import org.cartostream.slam.sensor.Scan;

/**
 * What a robot sees of itself: posts, a mast, a wheel. They go where it goes, and so a map that
 * takes them for walls holds it back, or has it stand still.
 *
 * <p>Whatever is near in the first reading is taken for the robot's own, direction by direction,
 * until it has been seen at another range: walls are soon, as the robot drives, and a direction
 * that was released is never suspected again. So walls lose the little that near ones would have
 * told in the first moments. A part's edge may be missed now and then, or what is behind it be
 * seen: one range that differs weighs as much as some that do not.
 *
 * <p>Not found are parts farther away than {@link #NEAR_METRES}, such as move, and such as were
 * mounted during the run, and antennas thinner than a beam is from the next; {@link
 * IntakeSettings#nearestMetres} is for those.
 *
 * <p>Owns what was seen in each direction.
 */
final class OwnParts {

  /** No part of the robot is farther from its laser. */
  static final float NEAR_METRES = 0.5f;

  /** Directions are told apart by so much, radians. */
  private static final double APART = Math.toRadians(1);

  private static final int DIRECTIONS = 360;

  /** Ranges of the same thing differ by less, metres: a laser's noise, or what a post is round. */
  private static final float SAME_METRES = 0.03f;

  /** A range that differs weighs as much as so many that do not. */
  private static final int DIFFERENT = 5;

  /** No more of them than this are counted, for a robot may stand before a wall for hours. */
  private static final int MOST = 15;

  private static final int RELEASED = -1;

  /**
   * What the first beam of each direction that said anything had, metres: infinite perhaps, if it
   * met nothing; 0 if there was none yet.
   */
  private final float[] first = new float[DIRECTIONS];

  /** How surely each direction meets the robot itself; {@link #RELEASED} if it does not. */
  private final int[] sure = new int[DIRECTIONS];

  /** The same of the reading at hand; the least of several beams. */
  private final float[] nearest = new float[DIRECTIONS];

  /** The reading's scan without the robot itself. Readings come in order. */
  Scan leaveOut(Scan scan) {
    Arrays.fill(nearest, 0);
    for (int i = 0; i < scan.beams(); i++) {
      if (scan.isHit(i) || scan.isMiss(i)) {
        int direction = direction(scan, i);
        float range = scan.ranges()[i];
        nearest[direction] = nearest[direction] == 0 ? range : Math.min(nearest[direction], range);
      }
    }
    boolean any = false;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
      if (nearest[direction] > 0) {
        see(direction, nearest[direction], scan.maxRange());
      }
      any |= isSuspected(direction);
    }
    return any ? without(scan) : scan;
  }

  private void see(int direction, float range, double maxRange) {
    if (first[direction] == 0) {
      first[direction] = range;
      sure[direction] = range < NEAR_METRES ? 0 : RELEASED;
    } else if (isSuspected(direction) && range < maxRange) { // A dark part may send nothing back.
      boolean same = Math.abs(range - first[direction]) < SAME_METRES;
      sure[direction] =
          same
              ? Math.min(MOST, sure[direction] + 1)
              : Math.max(RELEASED, sure[direction] - DIFFERENT);
    }
  }

  private boolean isSuspected(int direction) {
    return first[direction] > 0 && sure[direction] != RELEASED;
  }

  private Scan without(Scan scan) {
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      if (scan.isHit(i) && isOwn(direction(scan, i), ranges[i])) {
        ranges[i] = Float.NaN;
      }
    }
    return scan.withRanges(ranges);
  }

  /** A part's edge is met by one beam more or less from reading to reading. */
  private boolean isOwn(int direction, float range) {
    for (int beside = direction - 1; beside <= direction + 1; beside++) {
      int at = Math.floorMod(beside, DIRECTIONS);
      if (first[at] > 0 && sure[at] != RELEASED && Math.abs(range - first[at]) < 2 * SAME_METRES) {
        return true;
      }
    }
    return false;
  }

  private static int direction(Scan scan, int beam) {
    double angle = scan.mount().theta() + scan.startAngle() + beam * scan.angleStep();
    return Math.floorMod((int) Math.floor(angle / APART), DIRECTIONS);
  }
}
