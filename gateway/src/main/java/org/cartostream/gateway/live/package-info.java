/**
 * The gateway of a live robot: its backlog on disk, its runs one after the other, the skew of
 * clocks.
 */
package org.cartostream.gateway.live;
