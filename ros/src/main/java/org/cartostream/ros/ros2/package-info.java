/** A node of ROS 2: topics, services and the graph as ROS 2 maps them to DDS. */
package org.cartostream.ros.ros2;
