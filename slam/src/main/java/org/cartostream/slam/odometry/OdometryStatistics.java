package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;

/**
 * Counts of readings at which odometry was doubted, and the errors of the laser's mount and stamps;
 * for reports.
 *
 * @param searched readings for which a wide search was needed
 * @param replaced readings whose motion was taken from the laser instead of from odometry, mostly
 *     after a search
 * @param mountError estimated error of the laser's declared mount: metres and radians to add to the
 *     mount
 * @param lagSeconds estimated lag of the scans' stamps; negative if scans are stamped too early
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
