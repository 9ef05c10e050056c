package org.cartostream.slam.trajectory.tree;

/**
 * Figures of a loop closure; for reports.
 *
 * @param loops loop edges that the path fits; wherever the robot came back there are several
 * @param movedMetres how far the pose has moved that moved furthest
 * @param nanos that it took; 0 if it was not tried, or failed
 * @param wayBits what the scans' beams take to be written down, given the map along the path as the
 *     graph had it on the way: the less, the better they agree
 * @param endBits the same along the path that the search at the end has found
 */
public record LoopClosureReport(
    long loops, double movedMetres, long nanos, double wayBits, double endBits) {

  public static final LoopClosureReport NONE = new LoopClosureReport(0, 0, 0, 0, 0);

  /** True if the path is that of the search at the end; if the two agree alike, the way's is. */
  public boolean isEnd() {
    return endBits < wayBits;
  }
}
