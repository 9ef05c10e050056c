package org.cartostream.ros.message;

/**
 * {@code geometry_msgs/PoseWithCovariance}.
 *
 * @param covariance 36 numbers, row-major, of x, y, z and the rotations about them
 */
public record PoseWithCovariance(RosPose pose, double[] covariance) {

  /** Number of degrees of freedom: x, y, z, and the rotations about each axis. */
  private static final int AXES = 6;

  /** Index of the yaw among the degrees of freedom. */
  private static final int YAW = 5;

  /**
   * Returns a pose in the plane; variances of z, roll and pitch are 0.
   *
   * @param xy covariance of x and y, square metres; the others are named likewise, with t for the
   *     yaw, metres and radians
   */
  public static PoseWithCovariance planar(
      RosPose pose, double xx, double xy, double xt, double yy, double yt, double tt) {
    double[] covariance = new double[AXES * AXES];
    int[] axes = {0, 1, YAW};
    double[][] all = {{xx, xy, xt}, {xy, yy, yt}, {xt, yt, tt}};
    for (int i = 0; i < axes.length; i++) {
      for (int j = 0; j < axes.length; j++) {
        covariance[AXES * axes[i] + axes[j]] = all[i][j];
      }
    }
    return new PoseWithCovariance(pose, covariance);
  }

  /** Variance of x, square metres. */
  public double xx() {
    return covariance[0];
  }

  /** Covariance of x and y, square metres. */
  public double xy() {
    return covariance[1];
  }

  /** Variance of y, square metres. */
  public double yy() {
    return covariance[AXES + 1];
  }
}
