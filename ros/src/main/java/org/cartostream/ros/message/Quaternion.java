package org.cartostream.ros.message;

/** {@code geometry_msgs/Quaternion}: a rotation. */
public record Quaternion(double x, double y, double z, double w) {}
