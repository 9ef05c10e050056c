/** Simulated robots: a laser and odometry that err, and one that explores a world on its own. */
package org.cartostream.sim.robot;
