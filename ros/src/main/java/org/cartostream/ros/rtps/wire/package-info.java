/**
 * RTPS packets (OMG, DDSI-RTPS 2.3): submessages, parameter lists, identities and addresses, to and
 * from bytes. What arrives is bounded and checked here, and refused if it makes no sense.
 */
package org.cartostream.ros.rtps.wire;
