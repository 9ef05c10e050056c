/** Differences between the service's map and the one that a robot holds. */
package org.cartostream.broker.map;
