package org.cartostream.ros.message;

/**
 * {@code nav2_msgs/Particle} of ROS 2.
 *
 * @param weight fraction of the weight of all particles
 */
public record RosParticle(RosPose pose, double weight) {}
