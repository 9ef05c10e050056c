package org.cartostream.gateway.ros.message;

/**
 * {@code geometry_msgs/PoseWithCovariance}.
 *
 * @param covariance 36 numbers, row-major, of x, y, z and the rotations about them
 */
public record PoseWithCovariance(PoseMessage pose, double[] covariance) {}
