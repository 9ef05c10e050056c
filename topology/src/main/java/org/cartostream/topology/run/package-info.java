/**
 * A run of a robot, and state that tasks keep of each robot's latest run: idle times, filters, rate
 * of maps.
 */
package org.cartostream.topology.run;
