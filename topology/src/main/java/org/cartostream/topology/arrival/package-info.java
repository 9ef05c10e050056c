/**
 * The door of the service: takes the robots' messages from the broker, as many of each as its share
 * allows, and acknowledges them when they are durable, or are not needed.
 */
package org.cartostream.topology.arrival;
