package org.cartostream.slam.trajectory.tree;

import org.cartostream.slam.sensor.Scan;

/**
 * A scan with its place on a path.
 *
 * @param pathIndex the index of its pose in the path
 * @param graphNode the last node of the pose graph at or before the scan; -1 if there is none
 */
record PathScan(int pathIndex, int graphNode, Scan scan) {}
