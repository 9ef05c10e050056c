package org.cartostream.slam.graph;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * Where a robot has been, and what it saw from there.
 *
 * @param pose of its base
 */
public record PosedScan(Pose pose, Scan scan) {}
