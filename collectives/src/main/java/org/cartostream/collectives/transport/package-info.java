/**
 * Transports of frames between the members of a group: the channel's interface, the frame, and its
 * wire format.
 */
package org.cartostream.collectives.transport;
