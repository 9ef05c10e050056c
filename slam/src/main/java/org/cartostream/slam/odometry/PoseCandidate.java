package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.ScanConsistency;

/**
 * A candidate pose for a scan, and its agreement with the robot's latest scans.
 *
 * @param slipped true if odometry must have slipped for the robot to be at this pose
 */
record PoseCandidate(Pose pose, ScanConsistency consistency, boolean slipped) {

  /** Poses nearer to each other than this are one: the particles' matching bridges it. */
  private static final double ANOTHER_METRES = 0.1;

  private static final double ANOTHER_RADIANS = 0.1;

  PoseCandidate afterSlip() {
    return new PoseCandidate(pose, consistency, true);
  }

  boolean isApartFrom(PoseCandidate other) {
    return areApart(pose, other.pose);
  }

  /** True if hill climbs from two poses may end at different ones. */
  static boolean areApart(Pose one, Pose other) {
    return one.distance(other) > ANOTHER_METRES || headingDifference(one, other) > ANOTHER_RADIANS;
  }

  /** Returns the log likelihood per beam of this pose minus that of another. */
  double gainOver(PoseCandidate other) {
    return consistency.logLikelihood() - other.consistency.logLikelihood();
  }

  /** Returns the angle between the headings of two poses, radians, at least 0. */
  static double headingDifference(Pose one, Pose other) {
    return Math.abs(Pose.wrap(one.theta() - other.theta()));
  }
}
