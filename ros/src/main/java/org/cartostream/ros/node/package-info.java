/** The interface of a ROS node, its names and arguments, and the state of its master. */
package org.cartostream.ros.node;
