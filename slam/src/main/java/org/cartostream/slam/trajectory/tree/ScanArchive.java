package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * All scans of a path's key frames, kept so that the map can be drawn anew and loops closed when
 * nothing more comes. A day's drive has too many for the heap: they go to disk in blocks.
 *
 * <p>Owns the {@link ScanBlock}s, and the scans since the last of them: a megabyte at most, and one
 * scan.
 */
final class ScanArchive {

  /** So many ranges make a block: a megabyte. */
  private static final int BLOCK_RANGES = 250_000;

  private final int blockRanges;
  private final List<ScanBlock> blocks = new ArrayList<>();
  private final List<PathScan> latest = new ArrayList<>();
  private long latestRanges;

  ScanArchive() {
    this(BLOCK_RANGES);
  }

  /** For tests, in which a few are many. */
  ScanArchive(int blockRanges) {
    this.blockRanges = blockRanges;
  }

  /** Takes in what was seen last on a path. */
  void add(PathScan scan) {
    latest.add(scan);
    latestRanges += scan.scan().beams();
    if (latestRanges >= blockRanges) {
      blocks.add(ScanBlock.of(latest));
      latest.clear();
      latestRanges = 0;
    }
  }

  /**
   * The scans from a pose of the path on, in its order, as they are now: another thread may read
   * them. A block at a time is in memory.
   */
  Iterable<PathScan> from(int pathIndex) {
    List<ScanBlock> old = blocks.stream().filter(b -> b.lastPathIndex() >= pathIndex).toList();
    List<PathScan> rest = List.copyOf(latest);
    return () -> scans(old, rest, pathIndex);
  }

  private static Iterator<PathScan> scans(List<ScanBlock> old, List<PathScan> rest, int pathIndex) {
    return Stream.concat(old.stream().flatMap(block -> block.scans().stream()), rest.stream())
        .filter(each -> each.pathIndex() >= pathIndex)
        .iterator();
  }
}
