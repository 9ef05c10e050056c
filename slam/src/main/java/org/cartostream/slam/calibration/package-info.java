/**
 * Finds out from scans and odometry what is declared wrongly of a laser: its place on the robot,
 * which way its beams run, and when scans were taken.
 */
package org.cartostream.slam.calibration;
