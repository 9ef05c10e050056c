/** Logs that a simulated robot records. */
package org.cartostream.sim.log;
