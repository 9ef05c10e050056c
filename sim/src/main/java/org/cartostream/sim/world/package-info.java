/**
 * Where simulated robots drive: walls, from code or from an SDF file, routes between them, and the
 * laser that looks at them.
 */
package org.cartostream.sim.world;
