package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.slam.sensor.Scan;

/**
 * All scans of a path's key frames, kept so that the map can be drawn anew, and loops be closed at
 * the path's end. A day's drive has too many for the heap: they go to disk in blocks.
 *
 * <p>Owns the {@link ScanBlock}s, and the scans since the last of them: a megabyte at most, and one
 * scan.
 */
final class ScanArchive {

  /** Number of ranges in a block, which take a megabyte. */
  private static final int BLOCK_RANGES = 250_000;

  /** Size of a scan without its ranges, in ranges. */
  private static final int HEAD_RANGES = 20;

  private final int blockRanges;
  private final List<ScanBlock> blocks = new ArrayList<>();
  private final List<PathScan> latest = new ArrayList<>();
  private long latestRanges;

  /** Number of scans in blocks. */
  private int inBlocks;

  /** The block that was read last by its owner's thread, and its scans; null if none was. */
  private transient ScanBlock read;

  private transient List<PathScan> readScans;

  ScanArchive() {
    this(BLOCK_RANGES);
  }

  /** Creates an object with smaller bounds, for tests. */
  ScanArchive(int blockRanges) {
    this.blockRanges = blockRanges;
  }

  /**
   * Adds the latest scan of a path.
   *
   * @return the scan's number, counted from 0
   */
  int add(PathScan scan) {
    int number = inBlocks + latest.size();
    latest.add(scan);
    latestRanges += HEAD_RANGES + scan.scan().beams();
    if (latestRanges >= blockRanges) {
      blocks.add(ScanBlock.of(inBlocks, latest));
      inBlocks += latest.size();
      latest.clear();
      latestRanges = 0;
    }
    return number;
  }

  /** Returns the heap, bytes, of scans that should be on disk and could not be written. */
  long heapBytes() {
    return blocks.stream().mapToLong(ScanBlock::heapBytes).sum();
  }

  /**
   * Returns a scan by its number. Reading scans in order reads each block from the disk only once.
   */
  Scan scan(int number) {
    if (number >= inBlocks) {
      return latest.get(number - inBlocks).scan();
    }
    if (read == null || !read.has(number)) {
      read = blockWith(number);
      readScans = read.scans();
    }
    return readScans.get(number - read.first()).scan();
  }

  private ScanBlock blockWith(int number) {
    int low = 0;
    int high = blocks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (blocks.get(middle).first() <= number) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks.get(low);
  }

  /**
   * The scans of a part of the path, in its order, as they are now: another thread may read them. A
   * block at a time is in memory.
   *
   * @param from index of the part's first pose in the path
   * @param to index behind the part's last pose
   */
  Iterable<PathScan> between(int from, int to) {
    List<ScanBlock> old = blocks.stream().filter(block -> block.lastPathIndex() >= from).toList();
    List<PathScan> rest = List.copyOf(latest);
    return () -> scans(old, rest, from, to);
  }

  private static Iterator<PathScan> scans(
      List<ScanBlock> old, List<PathScan> rest, int from, int to) {
    return Stream.concat(old.stream().flatMap(block -> block.scans().stream()), rest.stream())
        .filter(each -> each.pathIndex() >= from && each.pathIndex() < to)
        .iterator();
  }
}
