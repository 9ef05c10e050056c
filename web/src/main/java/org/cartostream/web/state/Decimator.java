package org.cartostream.web.state;

import java.util.ArrayList;
import java.util.List;

/**
 * A bounded time series that is thinned out as it grows: when there are more than the maximum
 * number of rows, every other one is dropped, and from then on only every second new row is kept,
 * then every fourth, and so on. Owns the rows; not thread-safe.
 */
final class Decimator {

  /**
   * The rows that a reader has already.
   *
   * @param generation number of times that the rows were thinned or cleared; rows of another
   *     generation are useless
   * @param count number of rows that the reader has
   */
  record Seen(int generation, int count) {
    static final Seen NOTHING = new Seen(-1, 0);
  }

  /**
   * The rows that a reader lacks.
   *
   * @param from number of rows that the reader keeps of those that it has
   * @param seen the rows that the reader has after adding these
   */
  record Missing(int from, List<double[]> rows, Seen seen) {}

  private final int max;
  private List<double[]> rows = new ArrayList<>();
  private int stride = 1;
  private long offered;
  private int generation;

  /**
   * @param max maximum number of rows
   */
  Decimator(int max) {
    this.max = max;
  }

  void add(double... row) {
    if (offered++ % stride == 0) {
      rows.add(row);
    }
    while (rows.size() > max) {
      thin();
    }
  }

  private void thin() {
    List<double[]> kept = new ArrayList<>(max);
    for (int i = 0; i < rows.size(); i += 2) {
      kept.add(rows.get(i));
    }
    rows = kept;
    stride *= 2;
    generation++;
  }

  /** Removes all rows, to begin a new series. */
  void clear() {
    rows.clear();
    stride = 1;
    offered = 0;
    generation++;
  }

  Missing missing(Seen seen) {
    int from = seen.generation == generation ? seen.count : 0;
    return new Missing(
        from, List.copyOf(rows.subList(from, rows.size())), new Seen(generation, rows.size()));
  }
}
