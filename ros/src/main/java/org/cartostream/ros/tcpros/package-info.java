/** A ROS 1 node: registration with the master, topics and services over TCPROS. */
package org.cartostream.ros.tcpros;
