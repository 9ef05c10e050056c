package org.cartostream.slam.trajectory;

import org.cartostream.slam.geometry.Pose;

/**
 * The corrected pose of the robot's base for one processed reading.
 *
 * @param sequence the reading's number
 * @param stampNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param pose in the {@code map} frame
 */
public record PathPose(long sequence, long stampNanos, Pose pose) {}
