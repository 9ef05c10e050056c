/**
 * A recorded bag (of ROS 1, MCAP, or a database of rosbag2) as a log: which topics are taken, and
 * its scans paired as a live robot's are.
 */
package org.cartostream.gateway.ros.bag;
