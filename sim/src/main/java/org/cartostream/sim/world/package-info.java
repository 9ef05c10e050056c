/**
 * Worlds of simulated robots: walls, from code or from an SDF file, routes between them, and the
 * laser that looks at them.
 */
package org.cartostream.sim.world;
