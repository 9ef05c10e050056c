package org.cartostream.slam.match;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * The Gaussian prior of a pose, before the scan is taken into account.
 *
 * @param mean the expected pose
 * @param information the inverse covariance, in the map's frame, per metre and radian
 */
public record Prior(Pose mean, SymmetricMatrix3 information) {

  /** The log density at a pose, up to a constant: 0 at the mean. */
  public double log(Pose pose) {
    return log(pose.x(), pose.y(), pose.theta());
  }

  double log(double x, double y, double theta) {
    return -0.5
        * information.quadratic(x - mean.x(), y - mean.y(), Pose.wrap(theta - mean.theta()));
  }
}
