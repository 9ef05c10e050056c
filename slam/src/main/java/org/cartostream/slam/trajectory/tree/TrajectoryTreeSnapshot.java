package org.cartostream.slam.trajectory.tree;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.PoseEstimate;
import org.cartostream.slam.trajectory.PathPose;

/**
 * A {@link TrajectoryTree} at one moment, to go on with elsewhere. Nobody may change its arrays.
 *
 * @param settled the part of the path that all particles share
 * @param seen from there
 * @param seenEvery see {@link ScanArchive#every}
 * @param seenSkipped see {@link ScanArchive#skipped}
 * @param map what was seen along it, see {@code TracedMap.packed}
 * @param frames the key frames behind it, oldest first
 * @param nodes where particles were at these: the living ones and their ancestors, each behind its
 *     parent
 * @param leaves each particle's node, by the particle's number; none before the first key frame
 * @param best the node of the best particle
 * @param followed the number of the particle that is followed
 * @param poseEstimate of the robot's pose at the latest key frame
 */
record TrajectoryTreeSnapshot(
    PathPose[] settled,
    PathScan[] seen,
    int seenEvery,
    int seenSkipped,
    byte[] map,
    KeyFrame[] frames,
    Node[] nodes,
    int[] leaves,
    int best,
    int followed,
    PoseEstimate poseEstimate) {

  /** The latest key frame; none before the first. */
  public Optional<Step> latest() {
    return frames.length == 0 ? Optional.empty() : Optional.of(frames[frames.length - 1].step());
  }

  /** A key frame and the readings between it and the next. */
  public record KeyFrame(Step step, IntermediateReading[] between) {}

  /**
   * What is left of a reading between key frames. Its scan is not kept: it is never traced, and a
   * robot that stands still sends scans without end and no key frame.
   *
   * @param motion since the key frame, in that key frame's base frame
   */
  public record IntermediateReading(long sequence, long stampNanos, Pose motion) {}

  /**
   * Where one particle was at one key frame.
   *
   * @param frame which of the key frames
   * @param parent which of the nodes; -1 for the first
   */
  public record Node(int frame, int parent, Pose pose) {}
}
