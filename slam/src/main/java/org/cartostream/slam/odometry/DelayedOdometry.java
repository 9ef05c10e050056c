package org.cartostream.slam.odometry;

import org.cartostream.slam.calibration.LaserMountEstimator;
import org.cartostream.slam.geometry.Pose;

/**
 * Tracker of odometry that was doubted and may become right all at once, as after encoders have
 * reported delayed motion, or after a glitch. Then it is where it would be had it been right all
 * along.
 *
 * <p>Owns where the robot and odometry were before the first of the latest doubts, and for how long
 * it may come right.
 */
final class DelayedOdometry {

  /** Readings after a doubt. */
  private static final int READINGS = 40;

  /**
   * A step may catch up if it is out of step by more metres than this, and by more than {@link
   * #SHARE} of what is owed.
   */
  private static final double MIN_METRES = 0.3;

  private static final double SHARE = 0.5;

  /** Odometry has come right if the laser finds the robot so near to its pose. */
  private static final double RIGHT_METRES = 0.5;

  private static final double RIGHT_RADIANS = 0.3;

  private final LaserMountEstimator mount;

  /** Before the first of the latest doubts. */
  private Pose here;

  private Pose odometryHere;

  /** Readings that odometry may still come right in, with the one at hand. */
  private int left;

  DelayedOdometry(LaserMountEstimator mount) {
    this.mount = mount;
  }

  /** The next reading is at hand. */
  void read() {
    left = Math.max(0, left - 1);
  }

  /** True if odometry may come right in the reading at hand. */
  boolean mayComeRight() {
    return left > 0;
  }

  /**
   * Odometry is doubted.
   *
   * @param here the robot's pose at the last key frame
   * @param odometryHere odometry's pose then
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

  /** Returns the robot's pose in case odometry was right all along. */
  Pose poseByOdometry(Pose odometry) {
    return here.then(mount.baseMotion(odometryHere.to(odometry)));
  }

  /** True if so much of a step is out of step that it may bring odometry back to where it was. */
  boolean mayCatchUp(double outOfStep, double owed) {
    return outOfStep > Math.max(MIN_METRES, SHARE * owed);
  }

  /** True if so much is owed that odometry may have drifted on the way, too. */
  boolean lagsFarBehind(double owed) {
    return owed > MIN_METRES;
  }

  /** True if the robot has gone on much more as it came, or stood still, than by odometry. */
  boolean fitsMotionBetter(double outOfStep, double outOfStepByOdometry) {
    return outOfStep < SHARE * outOfStepByOdometry;
  }

  /** True if the laser finds the robot where odometry says that it is. */
  boolean hasComeRight(Pose found, Pose odometry) {
    Pose where = poseByOdometry(odometry);
    return where.distance(found) < RIGHT_METRES
        && PoseCandidate.headingDifference(where, found) < RIGHT_RADIANS;
  }
}
