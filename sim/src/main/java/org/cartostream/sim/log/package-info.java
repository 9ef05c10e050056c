/**
 * Logs that a simulated robot records, and what faults of odometry and lesser lasers make of any
 * log.
 */
package org.cartostream.sim.log;
