package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;

/**
 * The map along one path of a {@link TrajectoryTree}: of what is settled for good, and of the path
 * that was shown last. To show another path it takes back the scans of that one from where they
 * part.
 *
 * <p>Owns the map, and the nodes of that path.
 */
final class PathMap {

  private final RayTracedMap map;

  /** The nodes of the path that was shown last, from the first that is not settled. */
  private final List<TrajectoryNode> shown = new ArrayList<>();

  /**
   * @param map of what is settled
   */
  PathMap(RayTracedMap map) {
    this.map = map;
  }

  /** Has the map show a path, given by its nodes that are not settled. */
  void show(List<TrajectoryNode> path) {
    int common = common(path, shown);
    List<TrajectoryNode> other = shown.subList(common, shown.size());
    other.forEach(node -> map.untrace(node.pose, node.scan()));
    other.clear();
    path.subList(common, path.size()).forEach(this::trace);
    shown.addAll(path.subList(common, path.size()));
  }

  /** The first nodes of all paths are settled: they are never taken back. */
  void settle(List<TrajectoryNode> trunk) {
    if (common(trunk, shown) < Math.min(trunk.size(), shown.size())) {
      show(trunk); // What was shown is a dead branch.
    }
    int traced = Math.min(trunk.size(), shown.size());
    shown.subList(0, traced).clear();
    trunk.subList(traced, trunk.size()).forEach(this::trace);
  }

  private void trace(TrajectoryNode node) {
    map.trace(node.pose, node.scan());
  }

  /** How many nodes both paths begin with. */
  private static int common(List<TrajectoryNode> one, List<TrajectoryNode> other) {
    int common = 0;
    while (common < Math.min(one.size(), other.size()) && one.get(common) == other.get(common)) {
      common++;
    }
    return common;
  }

  /** How large {@link #grid} is, before it takes any memory. */
  GridExtent extent() {
    return map.extent();
  }

  /** See {@link RayTracedMap#grid}. */
  OccupancyGrid grid() {
    return map.grid();
  }

  /** See {@link RayTracedMap#toBytes}. */
  byte[] toBytes() {
    return map.toBytes();
  }
}
