/**
 * Readings made of LaserScan, Odometry and tf messages: pairing by time stamp, checks, sweeps that
 * are undistorted, and the reason for each scan that is refused.
 */
package org.cartostream.gateway.ros.scan;
