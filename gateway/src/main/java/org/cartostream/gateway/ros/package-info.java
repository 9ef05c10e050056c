/**
 * The gateway of a robot that speaks ROS, in slam_gmapping's place: topics, services, map to odom,
 * diagnostics.
 *
 * <ul>
 *   <li>{@code scan}: from LaserScan, Odometry and tf messages to readings
 *   <li>{@code tf}: the tree of coordinate frames
 *   <li>{@code bag}: recorded bags as logs
 * </ul>
 */
package org.cartostream.gateway.ros;
