package org.cartostream.ros.message;

/** {@code geometry_msgs/Twist}: metres and radians a second. */
public record Twist(Vector3 linear, Vector3 angular) {}
