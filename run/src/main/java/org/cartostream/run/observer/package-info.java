/** Observation of the serial engine on the way: its map, particles and loops. */
package org.cartostream.run.observer;
