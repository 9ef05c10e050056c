/** ROS topics of a simulated robot, and its exploration in a ROS graph, compared with the truth. */
package org.cartostream.sim.ros;
