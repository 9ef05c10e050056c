package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.GraphSolution;
import org.cartostream.slam.map.RayTracedMap;

/**
 * The map along one path of a {@link TrajectoryTree}: made of its settled part, which no longer
 * changes, and of the path that was shown last. To show another path it takes back the scans whose
 * poses differ.
 *
 * <p>Owns the map, which is drawn with the loops of one {@link GraphSolution} closed, and the scans
 * shown of key frames that are not settled.
 */
final class PathMap {

  /** Typical distance of walls, metres: a turn moves a wall by this times the angle. */
  private static final double WALL_METRES = 5;

  /**
   * A scan and the pose from which it is drawn.
   *
   * @param graphNode the last node of the pose graph at or before the scan
   */
  record ShownScan(Pose pose, int graphNode, ArchivedScan scan) {

    ShownScan carriedBy(GraphSolution solution) {
      return new ShownScan(solution.toMapFrame(graphNode, pose), graphNode, scan);
    }

    /**
     * The scan of {@code one}, drawn near the mean pose of all particles: from the pose of {@code
     * one}, shifted in steps of two cells and turned in steps that move a wall by as much. Finer
     * steps would redraw and resend much of the map for a change that is hardly visible.
     */
    static ShownScan at(TrajectoryNode one, Pose mean, double cellMetres) {
      double metres = 2 * cellMetres;
      double radians = metres / WALL_METRES;
      Pose pose =
          new Pose(
              one.pose.x() + rounded(mean.x() - one.pose.x(), metres),
              one.pose.y() + rounded(mean.y() - one.pose.y(), metres),
              Pose.wrap(
                  one.pose.theta() + rounded(Pose.wrap(mean.theta() - one.pose.theta()), radians)));
      return new ShownScan(pose, one.frame.graphNode(), one.scan());
    }

    private static double rounded(double value, double unit) {
      return Math.rint(value / unit) * unit;
    }
  }

  private final RayTracedMap map;
  private final GraphSolution solution;

  /** Scans that are shown, from the first key frame that is not settled. */
  private final List<ShownScan> shown = new ArrayList<>();

  /**
   * @param map of the settled path
   * @param solution of the pose graph with which the map is drawn, and all later scans are
   */
  PathMap(RayTracedMap map, GraphSolution solution) {
    this.map = map;
    this.solution = solution;
  }

  /** The solution of the pose graph with which the map is drawn. */
  GraphSolution solution() {
    return solution;
  }

  /** Draws a path's key frames that are not settled, given in local poses. */
  void show(List<ShownScan> path) {
    for (int i = 0; i < path.size(); i++) {
      show(i, path.get(i).carriedBy(solution));
    }
    List<ShownScan> rest = shown.subList(path.size(), shown.size());
    rest.forEach(each -> map.untrace(each.pose, each.scan.scan()));
    rest.clear();
  }

  private void show(int place, ShownScan scan) {
    if (place == shown.size()) {
      shown.add(scan);
    } else if (shown.get(place).pose.equals(scan.pose)) {
      return;
    } else {
      ShownScan before = shown.set(place, scan);
      map.untrace(before.pose, before.scan.scan());
    }
    map.trace(scan.pose, scan.scan.scan());
  }

  /**
   * Makes the first key frames final, as all paths share them: their scans are never taken back.
   */
  void settle(List<TrajectoryNode> trunk) {
    for (int i = 0; i < trunk.size(); i++) {
      TrajectoryNode node = trunk.get(i);
      ShownScan local = new ShownScan(node.pose, node.frame.graphNode(), node.scan());
      show(i, local.carriedBy(solution));
    }
    shown.subList(0, trunk.size()).clear();
  }

  /** The map as it was shown last. */
  RayTracedMap drawn() {
    return map;
  }
}
