package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/TwistWithCovariance}.
 *
 * @param covariance 36 numbers, row-major
 */
public record TwistWithCovariance(Twist twist, double[] covariance) {}
