/**
 * A ROS client library on the JDK: nodes for ROS 1 (TCPROS) and ROS 2 (rosbridge), message types,
 * bag and MCAP files. It knows nothing of SLAM.
 */
package org.cartostream.ros;
