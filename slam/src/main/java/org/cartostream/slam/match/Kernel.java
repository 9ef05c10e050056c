package org.cartostream.slam.match;

import org.cartostream.slam.map.ScanTileCache;
import org.cartostream.slam.map.TiledMap;

/**
 * A table of a beam's log likelihood by its distance to the nearest hit, for {@link
 * ScanTileCache#sum} in fixed point: sums of integers are the same in any order and on any machine.
 */
final class Kernel {

  /** The fixed-point value of 1. */
  static final int ONE = 1 << 16;

  private Kernel() {}

  /** Returns the kernel exp(-d²/2σ²), by which the hill climb scores beams that end near hits. */
  static int[] gaussian(double sigmaMetres, double cellMetres) {
    int[] table = new int[TiledMap.KERNEL_ENTRIES + 1];
    for (int i = 0; i < TiledMap.KERNEL_ENTRIES; i++) {
      table[i] = (int) (ONE * gauss(i, sigmaMetres, cellMetres));
    }
    return table;
  }

  /**
   * Returns the kernel log(floor + (1 - floor) exp(-d²/2σ²)), a beam's log likelihood. A beam that
   * ends far from all hits has seen something new, and counts log(floor).
   */
  static int[] logLikelihood(double sigmaMetres, double floor, double cellMetres) {
    int[] table = new int[TiledMap.KERNEL_ENTRIES + 1];
    for (int i = 0; i < TiledMap.KERNEL_ENTRIES; i++) {
      table[i] =
          (int) (ONE * StrictMath.log(floor + (1 - floor) * gauss(i, sigmaMetres, cellMetres)));
    }
    table[TiledMap.KERNEL_ENTRIES] = (int) (ONE * StrictMath.log(floor));
    return table;
  }

  private static double gauss(int entry, double sigmaMetres, double cellMetres) {
    double squared = TiledMap.squaredCells(entry) * cellMetres * cellMetres;
    return StrictMath.exp(-squared / (2 * sigmaMetres * sigmaMetres));
  }
}
