/**
 * Finds out from scans and odometry what is declared wrongly of a laser: its place on the robot,
 * and which way its beams run.
 */
package org.cartostream.slam.calibration;
