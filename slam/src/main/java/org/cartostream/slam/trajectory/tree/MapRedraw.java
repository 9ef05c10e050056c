package org.cartostream.slam.trajectory.tree;

import java.util.List;
import org.cartostream.slam.graph.GraphSolution;
import org.cartostream.slam.map.RayTracedMap;

/**
 * Draws the settled part of a map anew, where a correction has it. It takes some seconds after a
 * long drive, so another thread than the owner's of the {@link TrajectoryTree} may run it.
 */
public final class MapRedraw implements Runnable {

  private final List<PathMap.ShownScan> settled;
  private final GraphSolution solution;
  private final int settledPoses;
  private final RayTracedMap map;
  private volatile boolean done;

  /**
   * @param settled in local poses
   * @param settledPoses how many poses the settled path had then
   */
  MapRedraw(
      List<PathMap.ShownScan> settled,
      GraphSolution solution,
      int settledPoses,
      double cellMetres) {
    this.settled = settled;
    this.solution = solution;
    this.settledPoses = settledPoses;
    this.map = new RayTracedMap(cellMetres);
  }

  /** Draws it, once. */
  @Override
  public void run() {
    for (PathMap.ShownScan each : settled) {
      map.trace(solution.carry(each.graphNode(), each.pose()), each.scan());
    }
    done = true;
  }

  /** Number of the correction that it shows. */
  public int correction() {
    return solution.number();
  }

  /** True if it is drawn. */
  public boolean isDone() {
    return done;
  }

  RayTracedMap map() {
    return map;
  }

  GraphSolution solution() {
    return solution;
  }

  int settledPoses() {
    return settledPoses;
  }
}
