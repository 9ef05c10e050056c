/**
 * What the lines of CARMEN's log format mean: scans, odometry, parameters, and what only all lines
 * together tell of a laser.
 */
package org.cartostream.slam.log.carmen;
