/** Base of all bolts: wiring, ticks, failures, and a part of each checkpoint. */
package org.cartostream.topology.bolt;
