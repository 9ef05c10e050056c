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

  /** Null at the beginning, where nobody asks any more, and before what came as tiles. */
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

  /** Lets go of what lies before a key frame, here and where it is shared. */
  static void truncate(PoseHistory poseHistory, int keyFrame) {
    for (PoseHistory at = poseHistory; at != null; at = at.before) {
      if (at.keyFrame <= keyFrame) {
        at.before = null;
      }
    }
  }
}
