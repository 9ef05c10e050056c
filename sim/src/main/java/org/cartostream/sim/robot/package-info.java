/**
 * Simulated robots: a laser and odometry with noise, and a robot that explores a world on its own.
 */
package org.cartostream.sim.robot;
