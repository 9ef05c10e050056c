package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code nav_msgs/Odometry}.
 *
 * @param header stamp, and the frame in which the pose is given
 * @param childFrameId frame whose pose this is, and in which the twist is given
 */
public record Odometry(
    Header header, String childFrameId, PoseWithCovariance pose, TwistWithCovariance twist) {

  public static final MessageType<Odometry> TYPE =
      MessageType.of("nav_msgs/Odometry", Odometry.class);
}
