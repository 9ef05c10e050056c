package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;

/**
 * Plausibility of odometry's steps by the robot's way of driving: its usual motion between
 * readings, and its speed. By these, some steps that odometry reports are unlikely, and some are
 * impossible; most likely odometry was started anew, or a gyro was reset. Such a step may lead to a
 * place that was never seen, so that the laser cannot contradict it.
 *
 * <p>Owns the mean motion, the greatest speeds, and the readings from which they are measured.
 */
public final class MotionPlausibility {

  /** The plausibility of a step. */
  enum Plausibility {
    USUAL,
    /** Odometry was missing for a reading, and the mean motion was taken instead. */
    GUESSED,
    /** The step is much faster than the robot ever was: the laser may show a likelier motion. */
    UNLIKELY,
    /**
     * The step is faster than any robot, or ends at odometry's origin: it is believed only if the
     * laser proves it.
     */
    IMPOSSIBLE
  }

  /** Number of readings for which a robot is expected to keep its mean motion. */
  private static final int STEADY_READINGS = 10;

  /** Slack on the expected motion, metres: the robot may brake, or turn away. */
  private static final double SLACK_METRES = 1;

  private static final double SLACK_RADIANS = 0.5;

  /** Greatest speed of any robot. */
  private static final double METRES_A_SECOND = 3;

  private static final double RADIANS_A_SECOND = 2 * Math.PI;

  /** Speed that any robot may have, even if it was slower so far. */
  private static final double USUAL_METRES_A_SECOND = 0.5;

  private static final double USUAL_RADIANS_A_SECOND = 1;

  /** Factor by which the robot may be faster than it ever was. */
  private static final double FASTER = 1.5;

  /** Silence of the laser after which the robot may have done anything, seconds. */
  private static final double KNOWN_SECONDS = 5;

  /**
   * Least time over which a speed is measured, seconds: stamps may be closer together than the
   * scans were.
   */
  private static final double MIN_SECONDS = 0.5;

  private static final double NANOS_A_SECOND = 1e9;

  /** Greatest distance from its origin of odometry that was started anew, at the next reading. */
  private static final double AT_ORIGIN_METRES = 1;

  /**
   * Greatest heading of odometry that was started anew, radians; a robot that came home may have
   * any.
   */
  private static final double AT_ORIGIN_RADIANS = 0.5;

  /** Mean motion from one reading to the next before the last key frame. */
  private Pose meanMotion = Pose.ORIGIN;

  /** Number of readings since the last key frame, including the present one. */
  private int readings;

  /** True if odometry was missing in the reading before the present one. */
  private boolean missedOne;

  /** Prediction for the next reading of whether one is missing before it. */
  private boolean missesOne;

  private double fastestMetres = USUAL_METRES_A_SECOND;
  private double fastestRadians = USUAL_RADIANS_A_SECOND;

  /** Odometry's motion since a speed was last measured, and the time of that measurement. */
  private Pose sinceMeasured = Pose.ORIGIN;

  private long measuredNanos;

  private Reading atHand;

  /** The reading that was judged before the present one; refused readings may lie between them. */
  private Reading before;

  /** True if odometry could have been started anew since the reading before. */
  public static boolean mayHaveRestarted(Pose odometry) {
    return Pose.ORIGIN.distance(odometry) < AT_ORIGIN_METRES
        && Math.abs(Pose.wrap(odometry.theta())) < AT_ORIGIN_RADIANS;
  }

  /** Takes in the next reading. */
  void read(Reading reading) {
    readings++;
    missedOne = missesOne;
    missesOne = false;
    before = atHand;
    atHand = reading;
  }

  /**
   * Predicts the motion in a reading without usable odometry: the robot's mean motion.
   *
   * @return the expected motion
   */
  Pose predictMissedMotion() {
    readings++;
    missesOne = true;
    return meanMotion;
  }

  /** Returns the plausibility of odometry's motion since the last key frame. */
  Plausibility classify(Pose motion) {
    double seconds = Math.max(0, (atHand.stampNanos() - before.stampNanos()) / NANOS_A_SECOND);
    // A robot that drives or turns near odometry's origin is at the origin again and again.
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

  /**
   * Returns how much a motion differs from standing still, or from the robot's mean motion,
   * whichever is nearer; metres.
   */
  double deviation(Pose motion) {
    return Math.min(Pose.ORIGIN.distance(motion), continued().distance(motion));
  }

  /** Returns the motion since the last key frame of a robot that kept its mean motion. */
  Pose continued() {
    Pose motion = Pose.ORIGIN;
    for (int i = 0; i < Math.min(readings, STEADY_READINGS); i++) {
      motion = motion.then(meanMotion);
    }
    return motion;
  }

  /**
   * Returns the motion since the last key frame of a robot that kept its speed, without turning.
   */
  Pose continuedStraight() {
    double way = Math.min(readings, STEADY_READINGS) * Pose.ORIGIN.distance(meanMotion);
    return Math.abs(meanMotion.y()) > Math.abs(meanMotion.x())
        ? new Pose(0, Math.copySign(way, meanMotion.y()), 0)
        : new Pose(Math.copySign(way, meanMotion.x()), 0, 0);
  }

  /**
   * Returns false if the robot stood, or if so many readings have passed since the last key frame
   * that a robot with its mean motion would have made another.
   */
  boolean mayStillMove() {
    return readings <= STEADY_READINGS && PoseCandidate.areApart(Pose.ORIGIN, continued());
  }

  /** Begins at the robot's first key frame. */
  void begin(Reading reading) {
    atHand = reading;
    measuredNanos = reading.stampNanos();
  }

  /**
   * Takes in the present reading as a key frame.
   *
   * @param motion since the key frame before
   * @param byOdometry true if the motion is odometry's: only then it counts for the robot's
   *     greatest speed
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
