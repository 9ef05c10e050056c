/** The way of what one task sends to all matchers: serialized once, and once to each worker. */
package org.cartostream.topology.broadcast;
