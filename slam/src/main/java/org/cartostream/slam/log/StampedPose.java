package org.cartostream.slam.log;

import org.cartostream.slam.geometry.Pose;

/**
 * Where the robot's base was at a stamp: one line of a trajectory.
 *
 * @param stampNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param pose metres and radians, in the trajectory's frame
 */
public record StampedPose(long stampNanos, Pose pose) {}
