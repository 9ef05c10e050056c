/** Status of a worker's tasks, for observers: heartbeats through the broker. */
package org.cartostream.topology.status;
