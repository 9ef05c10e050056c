package org.cartostream.slam.motion;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Scan;

/**
 * An accepted reading as every task gets it, with all decisions about it.
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
 * @param start a motion that particles may start from, too, to match the scan: to where it was
 *     matched to what was seen lately, if that is clear and far from odometry's pose; else {@code
 *     motion}
 * @param mountError how far the laser seems to stand from its declared mount, by this reading, too:
 *     metres and radians to add to that
 * @param lagSeconds by how much scans seem to be stamped later than they were taken, by this
 *     reading, too; below 0 if earlier, 0 if nothing speaks for it
 * @param scan what the laser saw
 * @param initialPose where the robot was said to be at this step, which is a key frame then; null
 *     if nothing was said
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
