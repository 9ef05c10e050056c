package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;

/**
 * Counts of readings at which odometry was doubted, and the errors of the laser's mount and stamps;
 * for reports.
 *
 * @param searched readings for which a wide search was needed
 * @param replaced readings whose motion was taken from the laser instead of from odometry; most
 *     were searched for
 * @param mountError how far the laser seems to stand from its declared mount: metres and radians to
 *     add to that
 * @param lagSeconds by how much scans seem to be stamped later than they were taken; below 0 if
 *     earlier
 */
public record OdometryStatistics(long searched, long replaced, Pose mountError, double lagSeconds) {

  public static final OdometryStatistics NONE = new OdometryStatistics(0, 0, Pose.ORIGIN, 0);

  /** Returns these statistics with a further reading. */
  public OdometryStatistics and(Step step) {
    return new OdometryStatistics(
        searched + (step.searched() ? 1 : 0),
        replaced + (step.replaced() ? 1 : 0),
        step.mountError(),
        step.lagSeconds());
  }
}
