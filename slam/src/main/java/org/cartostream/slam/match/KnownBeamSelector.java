package org.cartostream.slam.match;

import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;

/**
 * Selects the beams of a narrow view that show what the map knows.
 *
 * <p>A robot with a narrow view that turns sees something new at one edge of it, turn after turn.
 * Those beams end near no hit, and each of them would gain if the scan were turned back a little,
 * so that it ends on a known wall: a bias that adds up to 10 degrees and more in a full turn. So
 * once the coarse climb has found the neighbourhood, these beams and their next neighbours are left
 * out. A wide view has two edges far apart, whose biases cancel; so all beams are kept.
 */
final class KnownBeamSelector {

  /** Radians below which a view is narrow. */
  static final double NARROW = StrictMath.toRadians(120);

  /** Beams this near to a hit show something known: the square of two cells, as kernel entries. */
  private static final int KNOWN = 4 * 256;

  /** Least number of unknown beams in a row that count as something new; fewer may be noise. */
  private static final int NEW = 3;

  /** Distance from a new beam's end within which neighbouring beams are left out, too, metres. */
  private static final double NEIGHBOUR_METRES = 0.2;

  /** Least share of beams left; with fewer, all are kept, for so few would constrain nothing. */
  private static final double MIN = 0.1;

  private KnownBeamSelector() {}

  /**
   * Returns the beams for the rest of the climb.
   *
   * @param turned the beams turned to the present heading
   * @param atX position, map units
   * @param atY position, map units
   * @param unitsPerMetre map units per metre
   */
  static Beams of(
      TiledMap map, Beams beams, RotatedBeams turned, int atX, int atY, double unitsPerMetre) {
    boolean[] leave = new boolean[beams.count()];
    int start = 0;
    while (start < beams.count()) {
      int end = start;
      while (end < beams.count()
          && ScanTileCache.entry(map, turned.x[end] + atX, turned.y[end] + atY) >= KNOWN) {
        end++;
      }
      if (end - start >= NEW) {
        leave(leave, beams, start, end, NEIGHBOUR_METRES * unitsPerMetre);
      }
      start = Math.max(end, start + 1);
    }
    return kept(beams, leave);
  }

  /** Marks the new beams, from {@code start} to before {@code end}, and their neighbours. */
  private static void leave(boolean[] leave, Beams beams, int start, int end, double near) {
    for (int i = start; i < end; i++) {
      leave[i] = true;
    }
    for (int i = start - 1; i >= 0 && distance(beams, i, start) < near; i--) {
      leave[i] = true;
    }
    for (int i = end; i < beams.count() && distance(beams, i, end - 1) < near; i++) {
      leave[i] = true;
    }
  }

  private static double distance(Beams beams, int i, int j) {
    return StrictMath.hypot(beams.x()[i] - beams.x()[j], beams.y()[i] - beams.y()[j]);
  }

  private static Beams kept(Beams beams, boolean[] leave) {
    double[] x = new double[beams.count()];
    double[] y = new double[beams.count()];
    int count = 0;
    for (int i = 0; i < beams.count(); i++) {
      if (!leave[i]) {
        x[count] = beams.x()[i];
        y[count] = beams.y()[i];
        count++;
      }
    }
    return count < MIN * beams.count()
        ? beams
        : new Beams(count, beams.view(), beams.evidence(), x, y);
  }
}
