package org.cartostream.slam.calibration;

import org.cartostream.slam.geometry.Pose;

/**
 * Detector of mirrored scans: clockwise beams are declared counter-clockwise, or the laser is
 * mounted upside down without a declaration. Such scans fit each other perfectly, and give the
 * map's mirror image; but where odometry turns to the left they turn as far to the right.
 *
 * <p>Each key frame adds a log-likelihood ratio, nats: the laser's turn is the negative of
 * odometry's, against the same as odometry's; by a Gaussian of odometry's error whose tails are cut
 * off. They are added up from the beginning, for a laser does not change sides.
 *
 * <p>Owns the sum.
 */
public final class MirrorDetector {

  /**
   * Cap of each log likelihood, so that no single key frame proves anything; a turn that fits
   * neither adds 0.
   */
  private static final double MAX_NATS = 1;

  private final double odds;
  private double nats;

  /**
   * @param odds how much likelier mirrored scans must be than scans that are not, nats
   */
  public MirrorDetector(double odds) {
    this.odds = odds;
  }

  /**
   * Takes in the turn from one key frame to the next, radians.
   *
   * @param deviation odometry's standard error
   */
  public void keyFrame(double byOdometry, double byLaser, double deviation) {
    nats += surprise(byLaser - byOdometry, deviation) - surprise(byLaser + byOdometry, deviation);
  }

  private static double surprise(double difference, double deviation) {
    double deviations = Pose.wrap(difference) / deviation;
    return Math.min(MAX_NATS, deviations * deviations / 2);
  }

  /** Returns true if mirrored scans are likelier, by more than one key frame alone can add. */
  public boolean mayBeMirrored() {
    return nats > MAX_NATS;
  }

  /** Returns true if the scans are taken to be mirrored. */
  public boolean isMirrored() {
    return nats > odds;
  }
}
