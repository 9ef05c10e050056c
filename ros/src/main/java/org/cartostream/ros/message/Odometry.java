package org.cartostream.ros.message;

import org.cartostream.ros.serialization.MessageType;

/**
 * {@code nav_msgs/Odometry}.
 *
 * @param header its frame is the pose's
 * @param childFrameId whose pose it is, and the twist's frame
 */
public record Odometry(
    Header header, String childFrameId, PoseWithCovariance pose, TwistWithCovariance twist) {

  public static final MessageType<Odometry> TYPE =
      MessageType.of("nav_msgs/Odometry", Odometry.class);
}
