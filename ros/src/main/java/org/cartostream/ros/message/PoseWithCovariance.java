package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/PoseWithCovariance}.
 *
 * @param covariance 36 numbers, row-major, of x, y, z and the rotations about them
 */
public record PoseWithCovariance(RosPose pose, double[] covariance) {}
