package org.cartostream.slam.trajectory.tree;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.GraphSolution;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Redraw of the settled part of a map after a correction has moved it. It takes some seconds after
 * a long drive, so another thread than the owner's of the {@link TrajectoryTree} may run it.
 */
public final class MapRedraw implements Runnable {

  private final Iterable<PathScan> scans;
  private final List<PathPose> path;
  private final GraphSolution solution;
  private final StartingMap startingMap;
  private final double cellMetres;
  private final double clearedMetres;
  private RayTracedMap map;
  private volatile boolean done;

  /**
   * @param startingMap the map with which the run began
   * @param scans scans of the settled path
   * @param path the settled path, in local poses
   */
  MapRedraw(
      StartingMap startingMap,
      Iterable<PathScan> scans,
      List<PathPose> path,
      GraphSolution solution,
      double cellMetres,
      double clearedMetres) {
    this.startingMap = startingMap;
    this.scans = scans;
    this.path = path;
    this.solution = solution;
    this.cellMetres = cellMetres;
    this.clearedMetres = clearedMetres;
  }

  /** Draws the map, unless it is drawn already. */
  @Override
  public void run() {
    map = startingMap.drawn(cellMetres, clearedMetres);
    trace(scans, path);
    done = true;
  }

  /** Enters scans of a path that has local poses. */
  void trace(Iterable<PathScan> some, List<PathPose> localPath) {
    for (PathScan each : some) {
      Pose local = localPath.get(each.pathIndex()).pose();
      map.trace(solution.toMapFrame(each.graphNode(), local), each.scan());
    }
  }

  /** Returns the number of the correction that the redrawn map shows. */
  public int correction() {
    return solution.number();
  }

  /** Returns true if the map is drawn. */
  public boolean isDone() {
    return done;
  }

  RayTracedMap map() {
    return map;
  }

  GraphSolution solution() {
    return solution;
  }

  /** Returns the number of poses of the settled path when the redraw was begun. */
  int settledPoses() {
    return path.size();
  }
}
