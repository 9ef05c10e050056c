package org.cartostream.slam.trajectory.tree;

/**
 * Figures of a loop closure; for reports.
 *
 * @param loops loop edges that the path fits; wherever the robot came back there are several
 * @param movedMetres how far the pose has moved that moved furthest
 * @param nanos that it took; 0 if it was not tried, or failed
 */
public record LoopClosureReport(long loops, double movedMetres, long nanos) {

  public static final LoopClosureReport NONE = new LoopClosureReport(0, 0, 0);
}
