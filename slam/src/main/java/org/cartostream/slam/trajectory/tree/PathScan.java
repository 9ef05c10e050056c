package org.cartostream.slam.trajectory.tree;

import org.cartostream.slam.sensor.Scan;

/**
 * A scan with its place on a path.
 *
 * @param pathIndex the index of its pose in the path
 */
record PathScan(int pathIndex, Scan scan) {}
