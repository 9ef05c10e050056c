package org.cartostream.slam.preprocess;

import java.util.Locale;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.MotionPlausibility;
import org.cartostream.slam.odometry.OdometryCheck;
import org.cartostream.slam.sensor.NoReturnDetector;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.ReadingFilterSettings;

/**
 * The first stage of the filter for one robot: decides whether a reading is refused, a key frame,
 * or an intermediate reading, and whether its odometry can be trusted ({@link OdometryCheck}).
 * Beams that hit the robot itself are left out ({@link RobotBodyFilter}).
 *
 * <p>Owns the filters' knowledge of the laser, the odometry of the last reading and of the last
 * before a jump, and the motion since the last key frame. The serial engine has one filter, the
 * Dispatcher one per robot.
 */
public final class ReadingFilter {

  /** Decision about a reading. */
  public sealed interface Decision {
    /** Refusal of a reading. */
    record Refuse(Refusal.Reason why) implements Decision {}

    /** Use of a reading. */
    record Accept(Step step) implements Decision {}
  }

  /**
   * Bound on a laser's distance from the base, metres. A mount beyond is a wrong transform, and the
   * map would have to reach as far.
   */
  private static final double MAX_MOUNT_METRES = 100;

  /**
   * Bound on the shortest range, metres: if nothing is nearer, ranges may be in millimetres; so if
   * a laser sees farther than its bound.
   */
  private static final double MAX_MIN_RANGE_METRES = 100;

  private static final double MAX_RANGE_METRES = 1000;

  /**
   * Longest pause between scans that is taken for a silence of the laser, seconds: longer ones may
   * be leaps of a clock.
   */
  private static final double MAX_SILENCE_SECONDS = 30;

  /**
   * Bound on a scan's angle from its first beam to its last: some lasers scan a little more than a
   * turn. Angles in degrees are beyond this bound.
   */
  private static final double MAX_RADIANS = 4 * Math.PI;

  private static final double NANOS_A_SECOND = 1e9;

  /** Speed with which a robot is assumed to drive while there is no reading, metres per second. */
  private static final double DRIVEN_A_SECOND = 2;

  private static final String MIRROR_CURE =
      "declare its angles the way that the beams run, or a roll of 180 degrees in the transform to the"
          + " laser, or set ros.mount.frame and ros.mount.upsideDown=true; unless odometry's turns are the"
          + " wrong ones";

  /** Odometry's pose and its stamp. */
  private record StampedOdometry(Pose odometry, long stampNanos) {}

  private final ReadingFilterSettings settings;
  private OdometryCheck check;
  private final NoReturnDetector noReturnDetector = new NoReturnDetector();
  private final RobotBodyFilter robotBodyFilter = new RobotBodyFilter();

  /** Odometry of the last reading, whether used or not; null before the first. */
  private StampedOdometry last;

  /**
   * Odometry of the last reading before a jump; null if there was no jump, or odometry has stayed
   * where it jumped to.
   */
  private StampedOdometry beforeJump;

  /** Motion by odometry since the last key frame; null before the first key frame. */
  private Pose sinceKeyFrame;

  /** Stated pose of the robot for the next reading that is used; null if none was stated. */
  private InitialPose initialPose;

  public ReadingFilter(FilterSettings settings) {
    this.settings = settings.readingFilter();
    this.check = new OdometryCheck(settings);
  }

  /** Places the robot at the next reading that is used; that will be a key frame. */
  public void place(InitialPose where) {
    initialPose = initialPose == null ? where : initialPose.then(where);
  }

  /**
   * Relocates a robot that was carried since the last reading, and whose odometry may begin anew:
   * the next reading that is used is a key frame, and the odometry check begins anew there. Has no
   * effect before the first key frame.
   *
   * @param where the robot's stated pose
   */
  public void relocate(InitialPose.At where, FilterSettings filterSettings) {
    if (sinceKeyFrame == null) {
      return;
    }
    check = new OdometryCheck(filterSettings);
    last = null;
    beforeJump = null;
    sinceKeyFrame = Pose.ORIGIN;
    initialPose = where;
  }

  /** Returns true if a contradiction of the map may be due to mirrored scans. */
  boolean mayBeMirrored() {
    return check.mayBeMirrored();
  }

  /**
   * Decides about the next reading. Readings come in the order in which they were taken; stamps may
   * repeat or go backwards.
   */
  public Decision decide(long sequence, Reading reading) {
    Pose odometry = reading.odometry();
    if (!odometry.isFinite()) {
      return refuse(ReadingRefusal.ODOMETRY_NOT_FINITE, odometry.toString());
    }
    StampedOdometry before = last;
    last = new StampedOdometry(odometry, reading.stampNanos());
    if (before != null && jumped(before)) {
      if (beforeJump == null || jumped(beforeJump)) {
        // The jump is no motion. Later readings are measured from where it landed, and the motion
        // meanwhile is a guess; if odometry comes back, they are measured from before the jump.
        beforeJump = beforeJump == null ? before : beforeJump;
        return refuse(
            ReadingRefusal.ODOMETRY_JUMP,
            String.format(
                Locale.ROOT,
                "%.2f m from one reading to the next; at most %.2f m is believed",
                before.odometry().distance(odometry),
                believedMetres(before)));
      }
      before = beforeJump;
    }
    boolean stays = beforeJump != null && before != beforeJump;
    beforeJump = null;
    if (before != null && sinceKeyFrame != null) {
      if (stays) {
        sinceKeyFrame = sinceKeyFrame.then(check.predictMissedMotion());
      }
      sinceKeyFrame = sinceKeyFrame.then(before.odometry().to(odometry));
    }
    Scan scan = reading.scan();
    Refusal.Reason why = malformed(scan);
    if (why == null && check.isMirrored()) {
      why = ReadingRefusal.MIRRORED_SCAN.because(MIRROR_CURE);
    }
    if (why == null) {
      noReturnDetector.add(scan);
      scan =
          scan.upTo(noReturnDetector.range().orElse(scan.maxRange()))
              .from(settings.minRangeMetres());
      scan = robotBodyFilter.filter(scan);
      why = seesNothing(scan);
      if (why != null && isDrawnOnly(scan)) {
        return new Decision.Accept(drawnOnly(sequence, reading.stampNanos(), scan));
      }
    }
    if (why != null) {
      return new Decision.Refuse(why);
    }
    return new Decision.Accept(step(sequence, new Reading(reading.stampNanos(), odometry, scan)));
  }

  private boolean jumped(StampedOdometry before) {
    return before.odometry().distance(last.odometry()) > believedMetres(before);
  }

  /**
   * Returns how far odometry may move between two readings and be believed, metres: more if the
   * laser was silent or saw nothing, unless odometry is then at its origin, where it was most
   * likely started anew.
   */
  private double believedMetres(StampedOdometry before) {
    double seconds = Math.max(0, (last.stampNanos() - before.stampNanos()) / NANOS_A_SECOND);
    double silent = Math.min(seconds, MAX_SILENCE_SECONDS);
    boolean anew = MotionPlausibility.mayHaveRestarted(last.odometry());
    return settings.jumpMetres() + (anew ? 0 : silent * DRIVEN_A_SECOND);
  }

  private Step step(long sequence, Reading reading) {
    Scan scan = reading.scan();
    boolean first = sinceKeyFrame == null;
    boolean begins = !check.hasBegun();
    Pose said = first ? Pose.ORIGIN : sinceKeyFrame;
    OdometryCheck.CheckedMotion checkedMotion =
        begins
            ? new OdometryCheck.CheckedMotion(said, said, false, false)
            : check.check(sinceKeyFrame, reading);
    Pose motion = checkedMotion.motion();
    InitialPose placed = initialPose;
    initialPose = null;
    boolean keyFrame =
        first || placed != null || checkedMotion.replaced() || settings.isKeyFrame(motion);
    if (keyFrame) {
      sinceKeyFrame = Pose.ORIGIN;
      if (begins) {
        check.begin(reading);
      } else {
        check.keyFrame(reading);
      }
    }
    return new Step(
        sequence,
        reading.stampNanos(),
        keyFrame,
        first,
        checkedMotion.searched(),
        checkedMotion.replaced(),
        motion,
        checkedMotion.start(),
        check.mountError(scan.mount()),
        check.lagSeconds(),
        scan,
        placed);
  }

  /** True if a scan that met nothing shows what is free. A run does not begin with one. */
  private boolean isDrawnOnly(Scan scan) {
    return settings.clearedMetres() > 0
        && sinceKeyFrame != null
        && initialPose == null
        && scan.hasInfinity();
  }

  /** Returns the step of a scan without hits: the pose follows from odometry alone. */
  private Step drawnOnly(long sequence, long stampNanos, Scan scan) {
    return new Step(
        sequence,
        stampNanos,
        false,
        false,
        false,
        false,
        sinceKeyFrame,
        sinceKeyFrame,
        check.mountError(scan.mount()),
        check.lagSeconds(),
        scan,
        null);
  }

  /** Returns the refusal if no beam met anything but the robot, or null. */
  private static Refusal.Reason seesNothing(Scan scan) {
    if (scan.hasHit()) {
      return null;
    }
    return ReadingRefusal.ALL_BEAMS_INVALID.because(scan.beams() + " beams" + millimetres(scan));
  }

  /**
   * Returns a question for people, whether ranges are in millimetres, if no laser measures such
   * ranges in metres; else empty.
   */
  private static String millimetres(Scan scan) {
    float nearest = Float.POSITIVE_INFINITY;
    for (float range : scan.ranges()) {
      nearest = range >= Scan.NEAREST_METRES ? Math.min(nearest, range) : nearest;
    }
    boolean astonishing = nearest > MAX_MIN_RANGE_METRES && nearest < scan.maxRange();
    return astonishing && scan.maxRange() > MAX_RANGE_METRES
        ? String.format(
            Locale.ROOT,
            ", the nearest range is %.0f m of at most %.0f m: are they millimetres?",
            nearest,
            scan.maxRange())
        : "";
  }

  /** Returns true if a scan is refused by itself, because its beams or its mount are invalid. */
  public boolean isMalformed(Scan scan) {
    return malformed(scan) != null;
  }

  /**
   * Checks the laser's mount, its angles and its ranges.
   *
   * @return why the scan cannot be used; null if it can
   */
  private Refusal.Reason malformed(Scan scan) {
    if (scan.beams() == 0) {
      return ReadingRefusal.NO_BEAMS.because("0 ranges");
    }
    if (scan.beams() > settings.maxBeams()) {
      return ReadingRefusal.TOO_MANY_BEAMS.because(
          scan.beams() + " beams; at most " + settings.maxBeams());
    }
    if (!Double.isFinite(scan.startAngle())
        || !Double.isFinite(scan.angleStep())
        || (scan.angleStep() == 0 && scan.beams() > 1)
        || Math.abs(scan.startAngle()) > MAX_RADIANS
        || Math.abs(scan.angleStep()) * (scan.beams() - 1) > MAX_RADIANS) {
      return ReadingRefusal.BAD_ANGLES.because(
          "start " + scan.startAngle() + " rad, step " + scan.angleStep() + " rad");
    }
    if (!scan.mount().isFinite()) {
      return ReadingRefusal.MOUNT_NOT_FINITE.because(scan.mount().toString());
    }
    double away = StrictMath.hypot(scan.mount().x(), scan.mount().y());
    if (away > MAX_MOUNT_METRES) {
      return ReadingRefusal.MOUNT_TOO_FAR.because(
          String.format(
              Locale.ROOT, "%.4g m away; at most %.0f m is believed", away, MAX_MOUNT_METRES));
    }
    if (!(scan.minRange() >= 0 && scan.maxRange() > scan.minRange())) {
      return ReadingRefusal.BAD_RANGE_LIMITS.because(
          "minimum " + scan.minRange() + " m, maximum " + scan.maxRange() + " m");
    }
    return null;
  }

  private static Decision refuse(Refusal refusal, String detail) {
    return new Decision.Refuse(refusal.because(detail));
  }
}
