/**
 * Recorded ROS messages: bag files of ROS 1 (format 2.0), folders and databases of rosbag2, and
 * MCAP files, which are also written.
 */
package org.cartostream.ros.bag;
