package org.cartostream.slam.graph;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * A scan with the pose that it was taken from.
 *
 * @param pose of its base
 */
public record PosedScan(Pose pose, Scan scan) {}
