/**
 * A participant of a DDS domain (OMG, DDSI-RTPS 2.3): its sockets and its thread, how it finds
 * others, and which of its readers and writers are matched with whose.
 */
package org.cartostream.ros.rtps.participant;
