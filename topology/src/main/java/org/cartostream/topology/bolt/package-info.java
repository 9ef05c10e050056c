/**
 * Base classes of all bolts: wiring of streams, ticks, failures, and each task's part of
 * checkpoints.
 */
package org.cartostream.topology.bolt;
