package org.cartostream.slam.motion;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * An accepted reading, with all decisions of the reading filter, as it is sent to every task.
 *
 * @param sequence the reading's number; random numbers are keyed by it
 * @param stampNanos nanoseconds since 1970-01-01 UTC by the robot's clock
 * @param keyFrame true if particles match and register the scan; else the robot has hardly moved,
 *     and its pose follows from odometry alone
 * @param first true for a robot's first key frame: particles start at the origin
 * @param searched true if odometry was doubted, so that a wide search was needed
 * @param replaced true if the laser's motion took the place of odometry's
 * @param motion since the previous key frame, in that key frame's base frame: by odometry, with
 *     regard to the mount's error, unless replaced
 * @param start a second motion from which particles may start to match the scan: by the scan's
 *     match to the latest scans, if that is clear and far from odometry's pose; else {@code motion}
 * @param mountError estimated error of the laser's declared mount up to this reading: metres and
 *     radians to add to the mount
 * @param lagSeconds estimated lag of the scans' stamps up to this reading; negative if scans are
 *     stamped too early, 0 if no lag was found
 * @param scan what the laser saw
 * @param initialPose stated pose of the robot at this step, which is then a key frame; null if none
 *     was stated
 */
public record Step(
    long sequence,
    long stampNanos,
    boolean keyFrame,
    boolean first,
    boolean searched,
    boolean replaced,
    Pose motion,
    Pose start,
    Pose mountError,
    double lagSeconds,
    Scan scan,
    InitialPose initialPose) {}
