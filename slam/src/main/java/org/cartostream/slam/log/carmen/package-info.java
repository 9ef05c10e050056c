/**
 * CARMEN's log format: scans, odometry, parameters, and a laser's properties that follow only from
 * all lines together.
 */
package org.cartostream.slam.log.carmen;
