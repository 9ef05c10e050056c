package org.cartostream.slam.odometry;

import org.cartostream.slam.calibration.LaserMountEstimator;
import org.cartostream.slam.geometry.Pose;

/**
 * Tracker of odometry that was doubted and may become right all at once, as after encoders have
 * reported delayed motion, or after a glitch. Odometry's motion since before the doubt is then the
 * robot's.
 *
 * <p>Owns the robot's and odometry's poses before the first of the latest doubts, and the number of
 * readings in which odometry may still come right.
 */
final class DelayedOdometry {

  /** Number of readings after a doubt in which odometry may come right. */
  private static final int READINGS = 40;

  /**
   * A step may bring odometry back if it differs from the robot's usual motion by more metres than
   * this, and by more than {@link #SHARE} of the distance by which odometry is behind.
   */
  private static final double MIN_METRES = 0.3;

  private static final double SHARE = 0.5;

  /** Odometry has come right if the laser finds the robot so near to its pose. */
  private static final double RIGHT_METRES = 0.5;

  private static final double RIGHT_RADIANS = 0.3;

  private final LaserMountEstimator mount;

  /** The robot's pose, and odometry's, before the first of the latest doubts. */
  private Pose here;

  private Pose odometryHere;

  /** Number of readings left in which odometry may come right, including the present one. */
  private int left;

  DelayedOdometry(LaserMountEstimator mount) {
    this.mount = mount;
  }

  /** Counts the next reading. */
  void read() {
    left = Math.max(0, left - 1);
  }

  /** Returns true if odometry may come right in the present reading. */
  boolean mayComeRight() {
    return left > 0;
  }

  /**
   * Notes a doubt of odometry.
   *
   * @param here the robot's pose at the last key frame
   * @param odometryHere odometry's pose at the last key frame
   */
  void doubt(Pose here, Pose odometryHere) {
    if (!mayComeRight()) {
      this.here = here;
      this.odometryHere = odometryHere;
    }
    left = READINGS + 1; // The reading at hand is counted.
  }

  /** Ends the delay: odometry is right again. */
  void end() {
    left = 0;
  }

  /** Returns the robot's pose if odometry's motion since before the doubts is right. */
  Pose poseByOdometry(Pose odometry) {
    return here.then(mount.baseMotion(odometryHere.to(odometry)));
  }

  /**
   * Returns true if a step differs so much from the robot's usual motion that it may bring odometry
   * back.
   *
   * @param outOfStep difference between the step and the usual motion, metres
   * @param owed distance by which odometry is behind the robot, metres
   */
  boolean mayCatchUp(double outOfStep, double owed) {
    return outOfStep > Math.max(MIN_METRES, SHARE * owed);
  }

  /** Returns true if odometry is so far behind that it may have drifted on the way, too. */
  boolean lagsFarBehind(double owed) {
    return owed > MIN_METRES;
  }

  /**
   * Returns true if a motion is much nearer to the robot's usual one, or to standing still, than
   * odometry's motion is.
   */
  boolean fitsMotionBetter(double outOfStep, double outOfStepByOdometry) {
    return outOfStep < SHARE * outOfStepByOdometry;
  }

  /** Returns true if the pose found by the laser is near odometry's. */
  boolean hasComeRight(Pose found, Pose odometry) {
    Pose where = poseByOdometry(odometry);
    return where.distance(found) < RIGHT_METRES
        && PoseCandidate.headingDifference(where, found) < RIGHT_RADIANS;
  }
}
