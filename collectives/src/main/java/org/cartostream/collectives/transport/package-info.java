/**
 * Transports of frames between the members of a group: the channel, the frame, and its wire format.
 */
package org.cartostream.collectives.transport;
