package org.cartostream.slam.trajectory;

import org.cartostream.slam.geometry.Pose;

/**
 * The known motion of the robot's base from one stamp to another: a loop edge of a pose graph, or a
 * line of a relations file. Trajectories are measured against it.
 *
 * @param fromNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param toNanos the same clock; may be before {@code fromNanos}
 * @param motion the pose at {@code toNanos} in the frame of the pose at {@code fromNanos}
 */
public record RelativePose(long fromNanos, long toNanos, Pose motion) {}
