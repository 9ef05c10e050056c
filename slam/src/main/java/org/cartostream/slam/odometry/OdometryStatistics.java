package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;

/**
 * Counts of readings at which odometry was doubted, and the error of the laser's mount; for
 * reports.
 *
 * @param searched readings for which a wide search was needed
 * @param replaced readings whose motion was taken from the laser instead of from odometry; most
 *     were searched for
 * @param mountError how far the laser seems to stand from its declared mount: metres and radians to
 *     add to that
 */
public record OdometryStatistics(long searched, long replaced, Pose mountError) {

  public static final OdometryStatistics NONE = new OdometryStatistics(0, 0, Pose.ORIGIN);

  /** These and what becomes of a further reading. */
  public OdometryStatistics and(Step step) {
    return new OdometryStatistics(
        searched + (step.searched() ? 1 : 0),
        replaced + (step.replaced() ? 1 : 0),
        step.mountError());
  }
}
