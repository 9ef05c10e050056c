package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/Vector3}, and {@code geometry_msgs/Point}: metres, metres a second or
 * radians a second.
 */
public record Vector3(double x, double y, double z) {

  public static final Vector3 ZERO = new Vector3(0, 0, 0);
}
