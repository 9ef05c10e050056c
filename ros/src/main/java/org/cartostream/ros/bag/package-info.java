/** Recorded ROS messages: bag files of ROS 1 (format 2.0) and MCAP files. */
package org.cartostream.ros.bag;
