/**
 * A robot that drives now: its backlog on disk, its runs one after the other, the skew of clocks.
 */
package org.cartostream.gateway.live;
