package org.cartostream.slam.localisation;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The exact distance of every cell of a grid to the nearest one of a set (P. Felzenszwalb, D.
 * Huttenlocher: Distance Transforms of Sampled Functions, 2012): along each column, then along each
 * row the lower envelope of the parabolas that stand on the columns' distances. Takes time in
 * proportion to the cells.
 */
final class DistanceTransform {

  /** Squared distance if the set is empty. The sum with any grid's squared side fits in an int. */
  static final int NONE = 1 << 30;

  private DistanceTransform() {}

  /**
   * Returns each cell's squared distance to the nearest cell of the set, in cells, row by row;
   * {@link #NONE} everywhere if the set is empty.
   *
   * @param inSet tells by a cell's index, row by row, whether the cell is in the set
   */
  static int[] squaredCells(int width, int height, IntPredicate inSet) {
    int[] squared = new int[Math.multiplyExact(width, height)];
    for (int x = 0; x < width; x++) {
      alongColumn(squared, x, width, height, inSet);
    }
    int[] row = new int[width];
    int[] vertices = new int[width];
    double[] from = new double[width + 1];
    for (int y = 0; y < height; y++) {
      System.arraycopy(squared, y * width, row, 0, width);
      alongRow(row, vertices, from, squared, y * width);
    }
    return squared;
  }

  private static void alongColumn(int[] squared, int x, int width, int height, IntPredicate inSet) {
    long since = NONE;
    for (int y = 0; y < height; y++) {
      since = inSet.test(y * width + x) ? 0 : since + 1;
      squared[y * width + x] = (int) Math.min(NONE, since * since);
    }
    since = NONE;
    for (int y = height - 1; y >= 0; y--) {
      since = squared[y * width + x] == 0 ? 0 : since + 1;
      squared[y * width + x] = (int) Math.min(squared[y * width + x], since * since);
    }
  }

  /**
   * @param row the squared distances along columns
   * @param vertices scratch: the columns whose parabolas make the envelope, from the left
   * @param from scratch: the column from which on each of these parabolas is the lowest
   */
  private static void alongRow(int[] row, int[] vertices, double[] from, int[] to, int at) {
    int last = -1;
    for (int q = 0; q < row.length; q++) {
      if (row[q] == NONE) {
        continue;
      }
      double begin = Double.NEGATIVE_INFINITY;
      while (last >= 0) {
        begin = intersection(row, vertices[last], q);
        if (begin > from[last]) {
          break;
        }
        last--;
        begin = Double.NEGATIVE_INFINITY;
      }
      last++;
      vertices[last] = q;
      from[last] = begin;
    }
    if (last < 0) {
      Arrays.fill(to, at, at + row.length, NONE);
      return;
    }
    int k = 0;
    for (int q = 0; q < row.length; q++) {
      while (k < last && from[k + 1] < q) {
        k++;
      }
      int across = q - vertices[k];
      to[at + q] = across * across + row[vertices[k]];
    }
  }

  private static double intersection(int[] row, int left, int right) {
    double high = row[right] + (double) right * right - row[left] - (double) left * left;
    return high / (2.0 * (right - left));
  }
}
