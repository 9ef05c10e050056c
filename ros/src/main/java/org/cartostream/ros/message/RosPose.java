package org.cartostream.ros.message;

/** {@code geometry_msgs/Pose}. */
public record RosPose(Vector3 position, Quaternion orientation) {}
