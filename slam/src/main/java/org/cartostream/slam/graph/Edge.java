package org.cartostream.slam.graph;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * An edge of the pose graph: the pose of one node seen from another, with its uncertainty.
 *
 * @param from the index of a node
 * @param to that of a later one
 * @param motion from the one to the other
 * @param information its inverse covariance in the frame of {@code from}, per metre and radian
 * @param isLoop true if the robot came back to {@code from}, or so it seems: it may be wrong
 */
record Edge(int from, int to, Pose motion, SymmetricMatrix3 information, boolean isLoop) {

  /**
   * Returns how far poses are from what is known: metres and radians, in the frame of {@code from}.
   */
  Pose error(Pose[] poses) {
    Pose now = poses[from].to(poses[to]);
    return new Pose(
        now.x() - motion.x(), now.y() - motion.y(), Pose.wrap(now.theta() - motion.theta()));
  }

  /** The square of the error in standard deviations. */
  double squaredError(Pose[] poses) {
    Pose error = error(poses);
    return information.quadratic(error.x(), error.y(), error.theta());
  }
}
