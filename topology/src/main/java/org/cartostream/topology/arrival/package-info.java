/**
 * Arrival of the robots' messages at the service: they are taken from the broker, as many of each
 * robot as its share allows, and acknowledged when they are in a checkpoint, or not needed.
 */
package org.cartostream.topology.arrival;
