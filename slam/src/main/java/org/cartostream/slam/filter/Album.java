package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The scans of a path's key frames, kept so that its loops can be closed when nothing more comes.
 *
 * <p>Owns them, no more than a number of ranges in all: when there are too many, every second goes,
 * and from then on as many fewer are kept.
 */
final class Album {

  private final long mostRanges;
  private List<Seen> seen;
  private int every;
  private int skipped;
  private long ranges;

  /** One in which nothing is yet. */
  Album(long mostRanges) {
    this(mostRanges, new Seen[0], 1, 0);
  }

  /**
   * One that goes on where another was saved.
   *
   * @param seen what the other has kept
   * @param every see {@link #every}
   * @param skipped see {@link #skipped}
   */
  Album(long mostRanges, Seen[] seen, int every, int skipped) {
    this.mostRanges = mostRanges;
    this.seen = new ArrayList<>(Arrays.asList(seen));
    this.every = every;
    this.skipped = skipped;
    for (Seen each : seen) {
      ranges += each.scan().beams();
    }
  }

  /** All that is kept, in the order of the path. */
  List<Seen> seen() {
    return seen;
  }

  /** Of how many scans one is kept: a power of two. */
  int every() {
    return every;
  }

  /** How many have come since the last one that is kept. */
  int skipped() {
    return skipped;
  }

  /** Takes in what was seen last on a path. */
  void take(Seen latest) {
    if (!seen.isEmpty() && skipped + 1 < every) {
      skipped++;
      return;
    }
    skipped = 0;
    seen.add(latest);
    ranges += latest.scan().beams();
    while (ranges > mostRanges && seen.size() > 1) {
      halve();
    }
  }

  private void halve() {
    List<Seen> half = new ArrayList<>();
    ranges = 0;
    for (int i = 0; i < seen.size(); i += 2) {
      half.add(seen.get(i));
      ranges += seen.get(i).scan().beams();
    }
    boolean lastHasGone = seen.size() % 2 == 0;
    skipped = lastHasGone ? every : 0;
    seen = half;
    every *= 2;
  }
}
