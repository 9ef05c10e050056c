package org.cartostream.slam.graph;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * An edge of the pose graph: the pose of one node seen from another, with its uncertainty.
 *
 * @param from the index of a node
 * @param to the index of a later node
 * @param motion the pose of {@code to} in the frame of {@code from}
 * @param information the motion's inverse covariance in the frame of {@code from}, per metre and
 *     radian
 * @param isLoop true for a loop edge, by which the robot came back to {@code from}; such an edge
 *     may be wrong
 */
record Edge(int from, int to, Pose motion, SymmetricMatrix3 information, boolean isLoop) {

  /**
   * Returns the difference between the motion by poses and {@link #motion}: metres and radians, in
   * the frame of {@code from}.
   */
  Pose error(Pose[] poses) {
    Pose now = poses[from].to(poses[to]);
    return new Pose(
        now.x() - motion.x(), now.y() - motion.y(), Pose.wrap(now.theta() - motion.theta()));
  }

  /** Returns the squared error eᵀ Ω e (Ω: the information), in standard deviations squared. */
  double squaredError(Pose[] poses) {
    Pose error = error(poses);
    return information.quadratic(error.x(), error.y(), error.theta());
  }
}
