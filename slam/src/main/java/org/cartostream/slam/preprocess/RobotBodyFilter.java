package org.cartostream.slam.preprocess;

import java.util.Arrays;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.ReadingFilterSettings;

/**
 * Filter that removes from scans what a robot sees of itself: posts, a mast, a wheel. These parts
 * move with the robot, so as walls in a map they would make the robot seem to stand still.
 *
 * <p>In each direction of a degree, what is near in the first reading counts as the robot's own,
 * until later readings contradict that: one that meets nothing there weighs as much as one that
 * agrees, one with another range as much as {@value #DIFFERENT}, as a beam may miss a part's edge
 * now and then. The direction is then released for good. So walls that are near at the beginning
 * are lost until the robot comes nearer to them or leaves them; alongside a wall that may be its
 * whole length.
 *
 * <p>Parts are not found if they are farther away than {@link #NEAR_METRES}, move, were mounted
 * during the run, or are thinner than a beam is from the next, as antennas: {@link
 * ReadingFilterSettings#minRangeMetres} is for those.
 *
 * <p>Owns what was seen in each direction.
 */
final class RobotBodyFilter {

  /** Greatest distance from the laser of a part that is found. */
  static final float NEAR_METRES = 0.5f;

  /** Width of a direction, radians. */
  private static final double APART = Math.toRadians(1);

  private static final int DIRECTIONS = 360;

  /**
   * Greatest difference between ranges of the same part, metres: cheap lasers are off by 15 mm at
   * times.
   */
  private static final float SAME_METRES = 0.05f;

  /** Greatest difference between the range of a part's edge and that of its middle, metres. */
  private static final float ROUND_METRES = 0.06f;

  /** Number of equal ranges that one different range outweighs. */
  private static final int DIFFERENT = 5;

  /** Greatest count of equal ranges: a robot may stand before a wall for hours. */
  private static final int MAX = 15;

  private static final int RELEASED = -1;

  /**
   * Range in each direction in the first reading, metres: the nearest, if several beams looked
   * there.
   */
  private final float[] reference = new float[DIRECTIONS];

  /**
   * Count of readings in which a direction met the robot itself; {@link #RELEASED} if it does not.
   */
  private final int[] sure = new int[DIRECTIONS];

  /**
   * Range in each direction in the reading at hand, metres; infinite if nothing was met, 0 if
   * unknown.
   */
  private final float[] nearest = new float[DIRECTIONS];

  private boolean begun;

  /** The reading's scan without the robot itself. Readings come in order. */
  Scan filter(Scan scan) {
    look(scan);
    boolean any = false;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
      if (sure[direction] != RELEASED) {
        see(direction, nearest[direction]);
      }
      any |= sure[direction] != RELEASED;
    }
    begun = true;
    return any ? without(scan) : scan;
  }

  private void look(Scan scan) {
    Arrays.fill(nearest, 0);
    for (int i = 0; i < scan.beams(); i++) {
      boolean isHit = scan.isHit(i);
      if (isHit || scan.isMiss(i)) {
        int direction = direction(scan, i);
        float range = isHit ? scan.ranges()[i] : Float.POSITIVE_INFINITY;
        nearest[direction] = nearest[direction] == 0 ? range : Math.min(nearest[direction], range);
      }
    }
  }

  private void see(int direction, float range) {
    if (!begun) {
      reference[direction] = range;
      sure[direction] = range > 0 && range < NEAR_METRES ? 0 : RELEASED;
    } else if (range == Float.POSITIVE_INFINITY) { // A dark part may send nothing back.
      sure[direction] = Math.max(RELEASED, sure[direction] - 1);
    } else if (range > 0) {
      boolean same = Math.abs(range - reference[direction]) < SAME_METRES;
      sure[direction] =
          same
              ? Math.min(MAX, sure[direction] + 1)
              : Math.max(RELEASED, sure[direction] - DIFFERENT);
    }
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
      if (sure[at] != RELEASED && Math.abs(range - reference[at]) < ROUND_METRES) {
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
