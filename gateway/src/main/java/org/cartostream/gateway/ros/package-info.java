/**
 * The gateway of a robot that speaks ROS, in slam_gmapping's place: topics, services, map to odom,
 * diagnostics.
 */
package org.cartostream.gateway.ros;
