package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * Plausibility of odometry's steps by the robot's way of driving: its usual motion between
 * readings, and its speed. By that, some steps that odometry reports are unlikely, and some are
 * impossible: odometry was started anew, or a gyro was reset, most likely. Where such a step leads
 * nobody may have looked, so that the laser cannot contradict it.
 *
 * <p>Owns the pace, the greatest speeds, and the readings that they are measured by.
 */
public final class MotionPlausibility {

  /** The plausibility of a step. */
  enum Plausibility {
    USUAL,
    /** Odometry was missed for a reading, and the pace taken instead. */
    GUESSED,
    /** Much faster than the robot ever was: the laser may have another motion that is likelier. */
    UNLIKELY,
    /** Faster than robots are, or right to where odometry begins: it is believed if proved. */
    IMPOSSIBLE
  }

  /** A robot is expected to go on as it came for so many readings. */
  private static final int STEADY_READINGS = 10;

  /** Slack on a motion in no time at all, metres: the robot brakes, or turns away. */
  private static final double SLACK_METRES = 1;

  private static final double SLACK_RADIANS = 0.5;

  /** No robot is faster. */
  private static final double METRES_A_SECOND = 3;

  private static final double RADIANS_A_SECOND = 2 * Math.PI;

  /** Any robot may be so fast, though it was not yet. */
  private static final double USUAL_METRES_A_SECOND = 0.5;

  private static final double USUAL_RADIANS_A_SECOND = 1;

  /** Factor by which the robot may be faster than it ever was. */
  private static final double FASTER = 1.5;

  /** Silence of the laser after which the robot may have done anything, seconds. */
  private static final double KNOWN_SECONDS = 5;

  /** Stamps may lie closer together than what they stand for; in less, no speed is measured. */
  private static final double MIN_SECONDS = 0.5;

  private static final double NANOS_A_SECOND = 1e9;

  /** Odometry that was started anew is not farther from its origin at the next reading. */
  private static final double AT_ORIGIN_METRES = 1;

  /**
   * Odometry that was started anew has turned less, radians; a robot that came home may face
   * anywhere.
   */
  private static final double AT_ORIGIN_RADIANS = 0.5;

  /** Mean motion from one reading to the next before the last key frame. */
  private Pose meanMotion = Pose.ORIGIN;

  /** Readings since the last key frame, with the one at hand. */
  private int readings;

  /** True if odometry was missed in the reading before the one at hand. */
  private boolean missedOne;

  /** Prediction for the next reading of whether one is missing before it. */
  private boolean missesOne;

  private double fastestMetres = USUAL_METRES_A_SECOND;
  private double fastestRadians = USUAL_RADIANS_A_SECOND;

  /** Odometry's motion since a speed was last measured, and when that was. */
  private Pose sinceMeasured = Pose.ORIGIN;

  private long measuredNanos;

  private Reading atHand;

  /**
   * Reading that was judged before the one at hand: between them there may be some that were
   * refused.
   */
  private Reading before;

  /** True if odometry could have been started anew since the reading before. */
  public static boolean mayHaveRestarted(Pose odometry) {
    return Pose.ORIGIN.distance(odometry) < AT_ORIGIN_METRES
        && Math.abs(Pose.wrap(odometry.theta())) < AT_ORIGIN_RADIANS;
  }

  /** The next reading is at hand. */
  void read(Reading reading) {
    readings++;
    missedOne = missesOne;
    missesOne = false;
    before = atHand;
    atHand = reading;
  }

  /**
   * Nobody knows what the robot did in one reading. It is expected to have gone on as it came.
   *
   * @return the motion that is expected
   */
  Pose predictMissedMotion() {
    readings++;
    missesOne = true;
    return meanMotion;
  }

  /** The plausibility of a motion since the last key frame that odometry reports. */
  Plausibility classify(Pose motion) {
    double seconds = Math.max(0, (atHand.stampNanos() - before.stampNanos()) / NANOS_A_SECOND);
    // Who drives or turns about where odometry began is at its origin again and again.
    boolean wasAway = Pose.ORIGIN.distance(before.odometry()) >= AT_ORIGIN_METRES;
    boolean anew = wasAway && mayHaveRestarted(atHand.odometry());
    if (missedOne) {
      return Plausibility.GUESSED;
    }
    if (seconds == 0 && !anew) {
      return Plausibility.USUAL; // Stamps that all are alike.
    }
    double driven = anew ? 0 : seconds; // Time does not explain how it came there.
    if (isBeyond(motion, driven * METRES_A_SECOND, driven * RADIANS_A_SECOND)) {
      return Plausibility.IMPOSSIBLE;
    }
    double faster = FASTER * driven;
    boolean isUnlikely =
        driven < KNOWN_SECONDS && isBeyond(motion, faster * fastestMetres, faster * fastestRadians);
    return isUnlikely ? Plausibility.UNLIKELY : Plausibility.USUAL;
  }

  private boolean isBeyond(Pose motion, double metres, double radians) {
    double turn =
        Math.min(
            PoseCandidate.headingDifference(Pose.ORIGIN, motion),
            PoseCandidate.headingDifference(continued(), motion));
    return deviation(motion) > SLACK_METRES + metres || turn > SLACK_RADIANS + radians;
  }

  /** Returns how far a motion is from standing still, or from how the robot went before, metres. */
  double deviation(Pose motion) {
    return Math.min(Pose.ORIGIN.distance(motion), continued().distance(motion));
  }

  /** The motion since the last key frame of a robot that has gone on as it came. */
  Pose continued() {
    Pose motion = Pose.ORIGIN;
    for (int i = 0; i < Math.min(readings, STEADY_READINGS); i++) {
      motion = motion.then(meanMotion);
    }
    return motion;
  }

  /** The motion since the last key frame of a robot that went on as fast, without turning. */
  Pose continuedStraight() {
    double way = Math.min(readings, STEADY_READINGS) * Pose.ORIGIN.distance(meanMotion);
    return Math.abs(meanMotion.y()) > Math.abs(meanMotion.x())
        ? new Pose(0, Math.copySign(way, meanMotion.y()), 0)
        : new Pose(Math.copySign(way, meanMotion.x()), 0, 0);
  }

  /**
   * False of a robot that stood, or of which nobody knows; and of one that would have been seen to
   * move before, had it gone on as it came.
   */
  boolean mayStillMove() {
    return readings <= STEADY_READINGS && PoseCandidate.areApart(Pose.ORIGIN, continued());
  }

  /** The robot's first key frame. */
  void begin(Reading reading) {
    atHand = reading;
    measuredNanos = reading.stampNanos();
  }

  /**
   * The reading at hand has become a key frame.
   *
   * @param motion since the key frame before
   * @param byOdometry true if it is odometry's: only then it counts for how fast the robot is
   */
  void keyFrame(Pose motion, boolean byOdometry) {
    sinceMeasured = sinceMeasured.then(motion);
    double seconds = (atHand.stampNanos() - measuredNanos) / NANOS_A_SECOND;
    if (byOdometry && seconds >= MIN_SECONDS) {
      fastestMetres = Math.max(fastestMetres, Pose.ORIGIN.distance(sinceMeasured) / seconds);
      fastestRadians = Math.max(fastestRadians, Math.abs(sinceMeasured.theta()) / seconds);
    }
    if (!byOdometry || seconds >= MIN_SECONDS || seconds < 0) { // Clocks are set back.
      sinceMeasured = Pose.ORIGIN;
      measuredNanos = atHand.stampNanos();
    }
    meanMotion = new Pose(motion.x() / readings, motion.y() / readings, motion.theta() / readings);
    readings = 0;
  }
}
