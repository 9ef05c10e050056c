package org.cartostream.slam.sensor;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Detector of the range by which a laser reports that a beam met nothing, if that is not the scan's
 * declared maximum. A wall where there is none spoils a map, and holds a robot back: an arc around
 * it wherever it looks into the open.
 *
 * <p>Such a range is known by that many beams of a scan have it to the last digit, that no reading
 * so far is larger by more than a hundredth, and that most that come near it have it. CARMEN's
 * driver of the SICK LMS writes 81.9 as the maximum in any case, and 81.83 or 8.183 for a beam that
 * met nothing; others leave the maximum at 100.
 *
 * <p>A wall that a coarse laser sees across a hall may be taken for it, until something farther
 * away is seen, as when the robot drives away from that wall. After each such error a range must
 * have been met in more scans: a code stands still, and walls do not. Where one reading lies
 * farther out, by mistake, arcs are kept.
 *
 * <p>Owns what it has seen.
 */
public final class NoReturnDetector {

  /** Least range of a code, metres: in a small room many beams have equal shorter ranges. */
  private static final double NEAR = 3;

  /** Least number of beams of one scan that must have the code. */
  private static final int MANY = 5;

  /**
   * Share of the largest range from which on ranges count as near it: lasers have other codes
   * nearby, such as for dazzling (8.183, 8.187, 8.191).
   */
  private static final double NEARLY = 0.99;

  /**
   * Number of additional scans that must have a code, for each range that was wrongly taken for a
   * code before.
   */
  private static final int MORE_SCANS = 4;

  private static final double BINS_PER_METRE = 1000;

  /** Count of ranges that differ by a millimetre at most. */
  private static final class Bin {
    /** The least range of this bin that many beams of one scan had. */
    private float min = Float.POSITIVE_INFINITY;

    /** Number of scans in which many beams had a range of this bin. */
    private int scans;

    private long together;
    private long alone;
  }

  private float largest;

  /** Counts near {@link #largest}, by millimetre. */
  private final TreeMap<Long, Bin> near = new TreeMap<>();

  /** The range known as the code for no return, metres; 0 if none is known. */
  private float known;

  /** Number of times that a range was taken for a code before larger ones were seen. */
  private int errors;

  /** Takes a scan into account, unless all its beams have the same range. */
  public void add(Scan scan) {
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
    if (sorted[end - 1] > largest) {
      largest = sorted[end - 1];
      near.headMap(bin(NEARLY * largest)).clear();
    }
    while (end > 0 && sorted[end - 1] >= NEARLY * largest) {
      int start = end - 1;
      while (start > 0 && sorted[start - 1] == sorted[end - 1]) {
        start--;
      }
      count(sorted[start], end - start);
      end = start;
    }
    judge();
  }

  private static long bin(double range) {
    return Math.round(range * BINS_PER_METRE);
  }

  private void count(float range, int beams) {
    Bin bin = near.computeIfAbsent(bin(range), key -> new Bin());
    if (beams >= MANY) {
      bin.min = Math.min(bin.min, range);
      bin.scans++;
      bin.together += beams;
    } else {
      bin.alone += beams;
    }
  }

  private void judge() {
    if (known > 0 && known < NEARLY * largest) {
      errors++;
    }
    known = 0;
    long together = 0;
    long alone = 0;
    for (Bin bin : near.values()) {
      together += bin.together;
      alone += bin.alone;
      if (known == 0 && bin.scans > MORE_SCANS * errors && bin.min >= NEAR) {
        known = bin.min;
      }
    }
    known = together > alone ? known : 0;
  }

  /**
   * Returns the range that stands for no return by all that was seen, metres; none if no range is
   * marked by many beams.
   */
  public OptionalDouble range() {
    return known > 0 ? OptionalDouble.of(known) : OptionalDouble.empty();
  }
}
