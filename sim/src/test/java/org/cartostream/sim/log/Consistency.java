package org.cartostream.sim.log;

import java.util.Locale;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * Figures of how errors of poses agree with their covariances: in how many cases the ellipse of 95
 * % holds the truth, and the normalised squared errors (NEES: Bar-Shalom, Li, Kirubarajan,
 * Estimation with applications to tracking and navigation, 2001, section 5.4).
 */
final class Consistency {

  /** Squared distance, in standard deviations, that 95 % of a Gaussian in the plane do not pass. */
  private static final double HOLDS = -2 * Math.log(0.05);

  int poses;
  int held;
  double sumOfPositions;
  double sumOfPoses;
  double squaredMetres;
  double largestMetres;

  void add(Pose error, SymmetricMatrix3 covariance) {
    double determinant = covariance.xx() * covariance.yy() - covariance.xy() * covariance.xy();
    double ofPosition =
        (covariance.yy() * error.x() * error.x()
                - 2 * covariance.xy() * error.x() * error.y()
                + covariance.xx() * error.y() * error.y())
            / determinant;
    double[] v = covariance.cholesky().solve(error.x(), error.y(), error.theta());
    poses++;
    held += ofPosition <= HOLDS ? 1 : 0;
    sumOfPositions += ofPosition;
    sumOfPoses += v[0] * error.x() + v[1] * error.y() + v[2] * error.theta();
    double metres = Pose.ORIGIN.distance(error);
    squaredMetres += metres * metres;
    largestMetres = Math.max(largestMetres, metres);
  }

  void add(Consistency other) {
    poses += other.poses;
    held += other.held;
    sumOfPositions += other.sumOfPositions;
    sumOfPoses += other.sumOfPoses;
    squaredMetres += other.squaredMetres;
    largestMetres = Math.max(largestMetres, other.largestMetres);
  }

  double share() {
    return (double) held / poses;
  }

  /** As in {@code docs/measurements/pose-covariance.csv}. */
  String row(String name) {
    return String.format(
        Locale.ROOT,
        "%s,%d,%.3f,%.2f,%.2f,%.3f,%.3f",
        name,
        poses,
        share(),
        sumOfPositions / poses,
        sumOfPoses / poses,
        Math.sqrt(squaredMetres / poses),
        largestMetres);
  }
}
