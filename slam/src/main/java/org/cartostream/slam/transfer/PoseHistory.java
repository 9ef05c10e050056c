package org.cartostream.slam.transfer;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;

/**
 * A linked list of a particle's poses at the key frames whose scans its map holds, newest first;
 * relatives share what they have in common.
 */
public final class PoseHistory {

  private final int keyFrame;
  private final Pose pose;

  /**
   * The history before; null at the run's beginning, where it was truncated, and before a map that
   * came as tiles.
   */
  private PoseHistory before;

  /**
   * @param keyFrame the key frame's place in the run, from 1
   * @param before the history until then; null if there is none
   */
  PoseHistory(int keyFrame, Pose pose, PoseHistory before) {
    this.keyFrame = keyFrame;
    this.pose = pose;
    this.before = before;
  }

  /** The latest {@code count} poses, oldest first; empty if there are fewer. */
  static Optional<Pose[]> latest(PoseHistory poseHistory, int count) {
    Pose[] poses = new Pose[count];
    PoseHistory at = poseHistory;
    for (int i = count - 1; i >= 0; i--) {
      if (at == null) {
        return Optional.empty();
      }
      poses[i] = at.pose;
      at = at.before;
    }
    return Optional.of(poses);
  }

  /** Drops the poses before a key frame, also for all histories that share them. */
  static void truncate(PoseHistory poseHistory, int keyFrame) {
    for (PoseHistory at = poseHistory; at != null; at = at.before) {
      if (at.keyFrame <= keyFrame) {
        at.before = null;
      }
    }
  }
}
