package org.cartostream.web.topic;

import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;

/** A pose in the plane as ROS has it, in space. */
final class PlanarPose {

  private PlanarPose() {}

  static RosPose pose(Pose pose) {
    return new RosPose(position(pose), orientation(pose));
  }

  /**
   * Returns the transform from the frame in which the pose is given to the one whose pose it is.
   */
  static Transform transform(Pose pose) {
    return new Transform(position(pose), orientation(pose));
  }

  static Vector3 position(Pose pose) {
    return new Vector3(pose.x(), pose.y(), 0);
  }

  private static Quaternion orientation(Pose pose) {
    return new Quaternion(0, 0, StrictMath.sin(pose.theta() / 2), StrictMath.cos(pose.theta() / 2));
  }
}
