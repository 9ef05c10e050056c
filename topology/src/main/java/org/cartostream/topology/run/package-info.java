/** A run of a robot, and what a task keeps of the latest run of each robot. */
package org.cartostream.topology.run;
