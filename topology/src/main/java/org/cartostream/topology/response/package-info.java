/**
 * Sending of a publisher's messages to robots; answers and final results are kept in case robots
 * ask again.
 */
package org.cartostream.topology.response;
