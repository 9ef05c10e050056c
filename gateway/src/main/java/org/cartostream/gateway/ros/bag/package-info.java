/**
 * A recorded bag (ROS 1, or MCAP) as a log: which topics are taken, and its scans paired as a live
 * robot's are.
 */
package org.cartostream.gateway.ros.bag;
