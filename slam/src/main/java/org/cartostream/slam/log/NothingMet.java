package org.cartostream.slam.log;

/**
 * From which range on a {@code FLASER} reading says "nothing met". The line does not tell, and a
 * wall where there is none spoils a map: an arc around the robot wherever it looks into the open.
 *
 * <p>Logs of lasers that see far mark it by 50 m and more. Others give the laser's range, as 8.18,
 * and are known by that: it is the largest reading, and many beams of a scan have it to the last
 * digit. Walls do not: seen from one place, a wall's farthest points lie at its ends.
 *
 * <p>Owns what it has seen of the log.
 */
final class NothingMet {

  /**
   * Recorded logs mark it by 50, 80, 81.83 or 81.91 metres. Real hits occur up to 49.91 m (aces). A
   * real hit beyond is not lost: there was indeed nothing as far as 50 m.
   */
  static final double FAR = 50;

  /** No laser's range is shorter, metres; nearer than that, a round pillar has many beams alike. */
  private static final double NEAR = 3;

  /** So many beams of one scan. */
  private static final int MANY = 5;

  /** Lasers tell by other readings nearby that they were dazzled: 8.183, 8.187, 8.191. */
  private static final double NEARLY = 0.99;

  private double largest;

  /** The largest that many beams of a scan had as their largest. */
  private double repeated;

  /** Takes a scan's ranges into account, metres. */
  void see(float[] ranges) {
    float farthest = 0;
    int beams = 0;
    for (float range : ranges) {
      if (range > farthest && range < Float.POSITIVE_INFINITY) {
        farthest = range;
        beams = 0;
      }
      beams += range == farthest ? 1 : 0;
    }
    largest = Math.max(largest, farthest);
    if (beams >= MANY && beams < ranges.length) {
      repeated = Math.max(repeated, farthest);
    }
  }

  /** By all that was seen, metres. */
  double range() {
    boolean isKnown = repeated >= NEAR && repeated >= NEARLY * largest;
    return isKnown ? Math.min(repeated, FAR) : FAR;
  }
}
