/**
 * From LaserScan, Odometry and tf messages to readings: pairing by time stamp, checks, and the
 * reason for each scan that is refused.
 */
package org.cartostream.gateway.ros.scan;
