/** Destinations of a run's maps and path: files, or whatever implements Sink. */
package org.cartostream.gateway.sink;
