package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.MotionModel;

/**
 * Detector of wheels that slip or count backwards, by the disagreement of odometry and laser over
 * many steps.
 *
 * <p>One step of a few centimetres proves little: a fifth of it is within odometry's usual error.
 * But errors that come and go add up as the root of their number, and what wheels do wrong steadily
 * as their number itself. So the differences along the way of the last key frames are added up,
 * older ones counting less and less, and so are the squares of the errors that the motion model
 * expects; the sum is compared with a Gaussian of that variance.
 *
 * <p>Where another match is likelier than that near odometry's pose, that is evidence, too, and it
 * adds up over key frames: a door that looks like the next one may look a little more like it once.
 *
 * <p>Owns the sums, and for how long the ground is taken for slippery.
 */
final class SlipDetector {

  /** About so many key frames are added up. */
  private static final double KEY_FRAMES = 20;

  private static final double KEEP = 1 - 1 / KEY_FRAMES;

  /**
   * Factor on the needed odds up to which a sum may grow, in nats: wheels that grip again are to be
   * believed soon, however long they slipped.
   */
  private static final double MAX = 1.2;

  /** Number of key frames for which wheels may slip again, that of the slip among them. */
  private static final int SLIPPERY_KEY_FRAMES = 10;

  /**
   * Soon after a slip, another match must be more likely by this share of what is asked for else.
   */
  private static final double SLIPPERY_ODDS = 0.5;

  /** Whatever came before it, another match must itself be more likely by this share of that. */
  private static final double OWN_ODDS = 0.5;

  private final double odds;

  /** Over the key frames so far: metres that the laser saw too many, and their variance. */
  private double metres;

  private double variance;

  /** Distance with the reading at hand, metres. */
  private double metresNow;

  private double varianceNow;
  private boolean isFound;

  /**
   * Log likelihood of other matches over odometry's in the key frames just before, nats; negative
   * if they were less far along the way than odometry's.
   */
  private double other;

  private double otherNow;

  /** Key frames in which wheels may slip again. */
  private int slippery;

  /**
   * @param odds how unlikely a difference must be by odometry's usual error, nats
   */
  SlipDetector(double odds) {
    this.odds = odds;
  }

  /**
   * Compares the motion by odometry and by laser since the last key frame. Only the last comparison
   * before a key frame stays.
   *
   * @param usual odometry's error if wheels do not slip
   * @param moved false if the robot stands by odometry: what came before does not count then
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
   * Forgets the reading at hand: nothing can be compared since the last key frame, or what was
   * compared is void.
   */
  void discard() {
    metresNow = metres;
    varianceNow = variance;
    isFound = false;
    otherNow = 0;
  }

  /**
   * True if another match than that near odometry's pose is to be believed: it is likelier by
   * enough, or was in the key frames just before, too, to the same side.
   *
   * @param farther than odometry's pose, metres along the way
   * @param nats how much likelier, by scan and odometry together; more than 0
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

  /** True if odometry's usual error explains neither this difference nor what they add up to. */
  boolean isFound() {
    return isFound;
  }

  /** Wheels have slipped in the reading at hand. */
  void slipped() {
    slippery = SLIPPERY_KEY_FRAMES;
  }

  /** True if wheels have slipped lately. */
  boolean slippedLately() {
    return slippery > 0;
  }

  /** The reading at hand has become a key frame. */
  void keyFrame() {
    double max = Math.sqrt(MAX * odds * 2 * varianceNow);
    metres = Math.max(-max, Math.min(max, metresNow));
    variance = varianceNow;
    other = otherNow;
    slippery = Math.max(0, slippery - 1);
  }
}
