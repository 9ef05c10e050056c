package org.cartostream.slam.trajectory.tree;

import org.cartostream.slam.sensor.Scan;

/**
 * What was seen from a place on a path.
 *
 * @param place the index of its pose in the path
 */
public record PathScan(int pathIndex, Scan scan) {}
