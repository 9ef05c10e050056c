package org.cartostream.slam.log;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * From which range on a reading says "nothing met", where the line does not tell. A wall where
 * there is none spoils a map: an arc around the robot wherever it looks into the open.
 *
 * <p>Logs of lasers that see far mark it by 50 m and more. Others give the laser's range, as 8.18,
 * and are known by that: many beams of a scan have it to the last digit, and no reading of the log
 * is larger by more than a hundredth. A wall seen across a hall by a coarse laser may be taken for
 * it. That is cheap: nothing nearer is lost. A log in which one reading lies farther out, by
 * mistake, keeps its arcs.
 *
 * <p>Owns what it has seen of the log.
 */
final class NothingMet {

  /**
   * A {@code FLASER} line that tells nothing has this as its maximum. Recorded logs mark it by 50,
   * 80, 81.83 or 81.91 metres. Real hits occur up to 49.91 m (aces). A real hit beyond is not lost:
   * there was indeed nothing as far as 50 m.
   */
  static final double FAR = 50;

  /** Nearer than that, metres, a small room has many beams alike. */
  private static final double NEAR = 3;

  /** So many beams of one scan. */
  private static final int MANY = 5;

  /** Lasers tell by other readings nearby that they were dazzled: 8.183, 8.187, 8.191. */
  private static final double NEARLY = 0.99;

  private float largest;

  /** What many beams of a scan had, of those near {@link #largest}. */
  private final TreeSet<Float> repeated = new TreeSet<>();

  /** Takes a scan's ranges into account, metres. A scan whose beams are all alike tells nothing. */
  void see(float[] ranges) {
    float[] sorted = ranges.clone();
    Arrays.sort(sorted);
    int end = sorted.length;
    while (end > 0 && !Float.isFinite(sorted[end - 1])) {
      end--; // NaN and infinity are last.
    }
    if (end == 0 || sorted[0] == sorted[end - 1]) {
      return;
    }
    largest = Math.max(largest, sorted[end - 1]);
    while (end > 0 && isNearlyLargest(sorted[end - 1])) {
      int start = end - 1;
      while (start > 0 && sorted[start - 1] == sorted[end - 1]) {
        start--;
      }
      if (end - start >= MANY) {
        repeated.add(sorted[start]);
      }
      end = start;
    }
    repeated.removeIf(range -> !isNearlyLargest(range));
  }

  private boolean isNearlyLargest(float range) {
    return range >= NEARLY * largest;
  }

  /** By all that was seen, metres; none if no range is marked by many beams. */
  OptionalDouble range() {
    return !repeated.isEmpty() && repeated.first() >= NEAR
        ? OptionalDouble.of(repeated.first())
        : OptionalDouble.empty();
  }
}
