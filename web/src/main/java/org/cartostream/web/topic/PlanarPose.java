package org.cartostream.web.topic;

import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Transform;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;

/** Translator of poses in the plane into ROS messages, which are in space. */
final class PlanarPose {

  private PlanarPose() {}

  static RosPose pose(Pose pose) {
    return new RosPose(position(pose), orientation(pose));
  }

  /**
   * Returns a pose as the transform of a child frame: its parent is the frame in which the pose is
   * given.
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
