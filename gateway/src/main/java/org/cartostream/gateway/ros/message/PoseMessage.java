package org.cartostream.gateway.ros.message;

/** {@code geometry_msgs/Pose}. */
public record PoseMessage(Vector3 position, Quaternion orientation) {}
