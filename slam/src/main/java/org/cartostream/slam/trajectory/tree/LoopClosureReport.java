package org.cartostream.slam.trajectory.tree;

/**
 * Figures of a loop closure; for reports.
 *
 * @param loops number of loop edges that the path fits; each place revisited has several
 * @param movedMetres largest movement of a pose
 * @param nanos nanoseconds that the search took; 0 if there was none, or it failed
 * @param wayBits code length of the scans ({@code RayTracedMap.codeLength}), in bits, along the
 *     path as the graph had corrected it on the way: the less, the better the scans agree
 * @param endBits code length of the scans along the path that the search at the end has found
 * @param revisited number of places that were seen twice ({@code RevisitedPlaces})
 * @param contradicted number of these in stretches where scans contradict earlier ones
 */
public record LoopClosureReport(
    long loops,
    double movedMetres,
    long nanos,
    double wayBits,
    double endBits,
    int revisited,
    int contradicted) {

  public static final LoopClosureReport NONE = new LoopClosureReport(0, 0, 0, 0, 0, 0, 0);

  /**
   * Returns true if the path of the search at the end was taken: its code is shorter than the
   * other's.
   */
  public boolean isEnd() {
    return endBits < wayBits;
  }
}
