package org.cartostream.slam.trajectory;

import java.util.List;
import org.cartostream.slam.geometry.Pose;

/**
 * The pose of the robot's base at a stamp: one line of a trajectory.
 *
 * @param stampNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param pose metres and radians, in the trajectory's frame
 */
public record StampedPose(long stampNanos, Pose pose) {

  /**
   * Returns the index of the first pose at {@code stampNanos} or later; the number of poses if
   * there is none.
   *
   * @param poses sorted by stamp
   */
  public static int firstFrom(long stampNanos, List<StampedPose> poses) {
    int low = 0;
    int high = poses.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (poses.get(middle).stampNanos() < stampNanos) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the pose at a stamp between this and a later pose's, interpolated linearly. */
  public Pose at(long stamp, StampedPose later) {
    double share = (double) (stamp - stampNanos) / (later.stampNanos - stampNanos);
    return pose.towards(later.pose, share);
  }
}
