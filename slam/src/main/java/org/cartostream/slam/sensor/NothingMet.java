package org.cartostream.slam.sensor;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.TreeSet;

/**
 * From which range on a reading says "nothing met", where its scan's maximum does not tell. A wall
 * where there is none spoils a map, and holds a robot back: an arc around it wherever it looks into
 * the open.
 *
 * <p>Such a range is known by that many beams of a scan have it to the last digit, and no reading
 * so far is larger by more than a hundredth. CARMEN's driver of the SICK LMS writes 81.9 as the
 * maximum in any case, and 81.83 or 8.183 for a beam that met nothing; others leave the maximum at
 * 100.
 *
 * <p>A wall that a coarse laser sees across a hall may be taken for it, as long as nothing farther
 * away was seen. That is cheap: nothing nearer is lost. Where one reading lies farther out, by
 * mistake, arcs are kept.
 *
 * <p>Owns what it has seen.
 */
public final class NothingMet {

  /** Nearer than that, metres, a small room has many beams alike. */
  private static final double NEAR = 3;

  /** So many beams of one scan. */
  private static final int MANY = 5;

  /** Lasers tell by other readings nearby that they were dazzled: 8.183, 8.187, 8.191. */
  private static final double NEARLY = 0.99;

  private float largest;

  /** Beams near {@link #largest} that have their range together with many of their scan. */
  private long together;

  /** The others near it: a laser that sees as far as that has walls there, as everywhere. */
  private long alone;

  /** What many beams of a scan had, of those near {@link #largest}. */
  private final TreeSet<Float> repeated = new TreeSet<>();

  /** Takes a scan into account. One whose beams are all alike tells nothing. */
  public void see(Scan scan) {
    float[] sorted = new float[scan.beams()];
    int end = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (scan.isHit(i)) {
        sorted[end++] = scan.ranges()[i];
      }
    }
    Arrays.sort(sorted, 0, end);
    if (end == 0 || sorted[0] == sorted[end - 1]) {
      return;
    }
    float before = largest;
    largest = Math.max(largest, sorted[end - 1]);
    repeated.removeIf(range -> !isNearlyLargest(range));
    if (!isNearlyLargest(before)) {
      together = 0;
      alone = 0;
    }
    while (end > 0 && isNearlyLargest(sorted[end - 1])) {
      int start = end - 1;
      while (start > 0 && sorted[start - 1] == sorted[end - 1]) {
        start--;
      }
      if (end - start >= MANY) {
        repeated.add(sorted[start]);
        together += end - start;
      } else {
        alone += end - start;
      }
      end = start;
    }
  }

  private boolean isNearlyLargest(float range) {
    return range >= NEARLY * largest;
  }

  /** By all that was seen, metres; none if no range is marked by many beams. */
  public OptionalDouble range() {
    return together > alone && repeated.first() >= NEAR
        ? OptionalDouble.of(repeated.first())
        : OptionalDouble.empty();
  }
}
