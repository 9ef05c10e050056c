package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.MotionModel;

/**
 * Detector of wheels that slip or count backwards, by the disagreement of odometry and laser over
 * many steps.
 *
 * <p>One step of a few centimetres proves little: a fifth of it is within odometry's usual error.
 * But random errors add up as the root of their number, and steady slip in proportion to it. So the
 * differences along the way of the last key frames are added up, older ones counting less and less,
 * and so are the squares of the errors that the motion model expects; the sum is compared with a
 * Gaussian of that variance.
 *
 * <p>If another match is likelier than the one near odometry's pose, that is evidence, too. It is
 * added up over key frames, for once alone it may be chance: one door looks like the next.
 *
 * <p>Owns the sums, and the number of key frames for which the ground still counts as slippery.
 */
final class SlipDetector {

  /** Approximate number of key frames that are added up. */
  private static final double KEY_FRAMES = 20;

  private static final double KEEP = 1 - 1 / KEY_FRAMES;

  /**
   * Factor on the needed odds up to which a sum may grow, in nats: so that wheels that grip again
   * are believed soon, however long they slipped.
   */
  private static final double MAX = 1.2;

  /** Number of key frames for which wheels may slip again, that of the slip among them. */
  private static final int SLIPPERY_KEY_FRAMES = 10;

  /** Factor on the odds that another match needs soon after a slip. */
  private static final double SLIPPERY_ODDS = 0.5;

  /** Factor on the odds that another match needs by itself, without the key frames before. */
  private static final double OWN_ODDS = 0.5;

  private final double odds;

  /**
   * Weighted sums over the key frames so far: metres that the laser saw beyond odometry's, and
   * their variance.
   */
  private double metres;

  private double variance;

  /** {@link #metres} including the present reading. */
  private double metresNow;

  private double varianceNow;
  private boolean isFound;

  /**
   * Log likelihood ratio of other matches to odometry's in the key frames just before, nats;
   * negative if these matches were less far along the way than odometry's pose.
   */
  private double other;

  private double otherNow;

  /** Number of key frames left in which wheels may slip again. */
  private int slippery;

  /**
   * @param odds how unlikely a difference must be by odometry's usual error, nats
   */
  SlipDetector(double odds) {
    this.odds = odds;
  }

  /**
   * Compares the motion by odometry and by laser since the last key frame. Only the last comparison
   * before a key frame counts.
   *
   * @param usual odometry's error if wheels do not slip
   * @param moved false if the robot stands by odometry: then earlier evidence is not used
   */
  void compare(Pose byOdometry, Pose byLaser, MotionModel usual, boolean moved) {
    double direction = StrictMath.atan2(byOdometry.y(), byOdometry.x());
    double along =
        StrictMath.cos(direction) * (byLaser.x() - byOdometry.x())
            + StrictMath.sin(direction) * (byLaser.y() - byOdometry.y());
    double step = usual.varianceAlong(direction);
    metresNow = KEEP * metres + along;
    varianceNow = KEEP * KEEP * variance + step;
    isFound = isBeyond(along, step) || (moved && isBeyond(metresNow, varianceNow));
    otherNow = 0;
  }

  /**
   * Discards the present reading's comparison: since the last key frame nothing can be compared.
   */
  void discard() {
    metresNow = metres;
    varianceNow = variance;
    isFound = false;
    otherNow = 0;
  }

  /**
   * True if another match than that near odometry's pose is to be believed: its log likelihood
   * ratio is large enough, alone or together with those of the key frames just before, to the same
   * side.
   *
   * @param farther how much farther along the way than odometry's pose the match is, metres
   * @param nats log likelihood ratio of the match by scan and odometry together; more than 0
   */
  boolean isProved(double farther, double nats) {
    otherNow = Math.copySign(nats, farther);
    if (other * otherNow > 0) {
      otherNow += other;
    }
    double enough = slippery > 0 ? SLIPPERY_ODDS * odds : odds;
    return nats > enough || (nats > OWN_ODDS * enough && Math.abs(otherNow) > enough);
  }

  private boolean isBeyond(double metres, double variance) {
    return metres * metres / (2 * variance) > odds;
  }

  /**
   * Returns true if odometry's usual error explains neither the present difference nor the sum of
   * differences.
   */
  boolean isFound() {
    return isFound;
  }

  /** Notes that wheels have slipped in the present reading. */
  void slipped() {
    slippery = SLIPPERY_KEY_FRAMES;
  }

  /** Returns true if wheels have slipped lately. */
  boolean slippedLately() {
    return slippery > 0;
  }

  /** Takes in the present reading as a key frame. */
  void keyFrame() {
    double max = Math.sqrt(MAX * odds * 2 * varianceNow);
    metres = Math.max(-max, Math.min(max, metresNow));
    variance = varianceNow;
    other = otherNow;
    slippery = Math.max(0, slippery - 1);
  }
}
