package org.cartostream.slam.filter;

import org.cartostream.slam.sensor.Scan;

/**
 * What was seen from a place on a path.
 *
 * @param place the index of its pose in the path
 */
public record Seen(int place, Scan scan) {}
