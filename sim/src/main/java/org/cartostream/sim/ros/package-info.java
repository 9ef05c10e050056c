/** A simulated robot as a ROS node, and its drive in a ROS graph against the truth. */
package org.cartostream.sim.ros;
