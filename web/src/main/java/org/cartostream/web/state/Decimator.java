package org.cartostream.web.state;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of numbers in the order in which they came, of which so many are kept that a page can hold
 * them: when there are too many, every other one goes, and from then on only every second row is
 * taken, then every fourth, and so on. Owns the rows; not thread-safe.
 */
final class Decimator {

  /**
   * Number of samples that somebody has.
   *
   * @param generation of the rows; in another one they are other rows
   * @param count of the rows that he has
   */
  record Seen(int generation, int count) {
    static final Seen NOTHING = new Seen(-1, 0);
  }

  /**
   * Rows that somebody lacks.
   *
   * @param from how many he is to keep of those that he has
   * @param seen what he has with them
   */
  record Missing(int from, List<double[]> rows, Seen seen) {}

  private final int max;
  private List<double[]> rows = new ArrayList<>();
  private int stride = 1;
  private long offered;
  private int generation;

  /**
   * @param max rows that are kept
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

  /** Forgets all rows: others follow. */
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
