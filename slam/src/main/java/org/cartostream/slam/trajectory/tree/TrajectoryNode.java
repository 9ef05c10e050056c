package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.PathPose;

/** One particle's pose at one key frame: a node of the {@link TrajectoryTree}, which owns it. */
final class TrajectoryNode {

  /**
   * A key frame and the readings between it and the next; shared by all nodes of that key frame.
   *
   * @param scan what was seen; the paths of all particles have the same
   * @param graphNode the last node of the pose graph at or before the key frame; -1 if there is
   *     none
   * @param isGraphNode true if the key frame is itself that node
   */
  record KeyFrame(
      long sequence,
      long stampNanos,
      ArchivedScan scan,
      List<IntermediateReading> between,
      int graphNode,
      boolean isGraphNode) {}

  /**
   * A reading between key frames, reduced to what its pose needs. The scan is not kept: it is never
   * traced, and a robot that stands still would send scans without end.
   *
   * @param motion since the key frame, in that key frame's base frame
   */
  record IntermediateReading(long sequence, long stampNanos, Pose motion) {}

  final KeyFrame frame;
  final Pose pose;

  /** The node at the key frame before; null if the path before this node is settled. */
  TrajectoryNode parent;

  /** Number of children on living paths. */
  int children;

  TrajectoryNode(KeyFrame frame, Pose pose, TrajectoryNode parent) {
    this.frame = frame;
    this.pose = pose;
    this.parent = parent;
    if (parent != null) {
      parent.children++;
    }
  }

  /** The nodes from the first that is not settled to {@code leaf}. */
  static List<TrajectoryNode> path(TrajectoryNode leaf) {
    List<TrajectoryNode> path = new ArrayList<>();
    for (TrajectoryNode node = leaf; node != null; node = node.parent) {
      path.add(node);
    }
    Collections.reverse(path);
    return path;
  }

  /** Returns the different nodes of a stream, by identity. */
  static Set<TrajectoryNode> distinct(Stream<TrajectoryNode> nodes) {
    Set<TrajectoryNode> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    nodes.forEach(distinct::add);
    return distinct;
  }

  /** Returns the scan that was taken here. */
  ArchivedScan scan() {
    return frame.scan;
  }

  /** Adds this pose, and those of the readings between this key frame and the next. */
  void appendTo(List<PathPose> path) {
    path.add(new PathPose(frame.sequence, frame.stampNanos, pose));
    for (IntermediateReading later : frame.between) {
      path.add(new PathPose(later.sequence(), later.stampNanos(), pose.then(later.motion())));
    }
  }
}
