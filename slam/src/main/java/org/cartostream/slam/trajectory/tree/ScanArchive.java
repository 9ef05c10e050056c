package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.List;

/**
 * The scans of a path's key frames, kept so that its loops can be closed when nothing more comes.
 *
 * <p>Owns them, no more than a number of ranges in all: when there are too many, every second goes,
 * and from then on as many fewer are kept.
 */
final class ScanArchive {

  private final long mostRanges;
  private List<PathScan> scans = new ArrayList<>();

  /** Of so many scans one is kept: a power of two. */
  private int every = 1;

  /** How many have come since the last one that is kept. */
  private int skipped;

  private long ranges;

  ScanArchive(long mostRanges) {
    this.mostRanges = mostRanges;
  }

  /** All that is kept, in the order of the path. */
  List<PathScan> seen() {
    return scans;
  }

  /** Takes in what was seen last on a path. */
  void add(PathScan latest) {
    if (!scans.isEmpty() && skipped + 1 < every) {
      skipped++;
      return;
    }
    skipped = 0;
    scans.add(latest);
    ranges += latest.scan().beams();
    while (ranges > mostRanges && scans.size() > 1) {
      halve();
    }
  }

  private void halve() {
    List<PathScan> half = new ArrayList<>();
    ranges = 0;
    for (int i = 0; i < scans.size(); i += 2) {
      half.add(scans.get(i));
      ranges += scans.get(i).scan().beams();
    }
    boolean lastHasGone = scans.size() % 2 == 0;
    skipped = lastHasGone ? every : 0;
    scans = half;
    every *= 2;
  }
}
