package org.cartostream.slam.sensor;

import org.cartostream.slam.geometry.Pose;

/**
 * One laser scan with the odometry pose at its stamp: what a robot sends.
 *
 * @param stampNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param odometry the base's pose in the {@code odom} frame: absolute, so that a skipped reading
 *     adds no drift
 * @param scan what the laser saw
 */
public record Reading(long stampNanos, Pose odometry, Scan scan) {}
