package org.cartostream.slam.preprocess;

import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.CarriedRobotScanCheck;
import org.cartostream.slam.odometry.CarriedRobotScanCheck.Verdict;
import org.cartostream.slam.odometry.MotionPlausibility;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Detector of robots that are not where their odometry says, from their readings before these are
 * sent, by {@link ReadingFilter}'s motion and {@link CarriedRobotScanCheck}. Signs are odometry
 * that jumps or begins anew, time that is set back, and a gap. A pure function of the readings;
 * particles and maps are not asked.
 *
 * <p>Owns a reading filter, a scan check, and the reading before.
 */
public final class CarriedRobotDetector {

  /**
   * Judgement of a reading.
   *
   * @param moved motion of the robot since the last usable reading
   * @param scan the usable part of the scan; empty if the reading is refused
   */
  public record Judged(Verdict verdict, Pose moved, Optional<Scan> scan) {}

  private static final double NANOS_A_SECOND = 1e9;

  /**
   * Least time by which a clock counts as set back, more than stamps are late; also the longest
   * silence of a laser that is no sign.
   */
  private static final double SET_BACK_SECONDS = 1;

  private static final double GAP_SECONDS = 30;

  private static final double SLACK_METRES = 1;

  private static final double METRES_A_SECOND = 3;

  private final FilterSettings settings;
  private final CarriedRobotScanCheck scanCheck;
  private ReadingFilter filter;
  private long sequence;

  /** The latest reading; null before the first, and after {@link #restart}. */
  private Reading before;

  /** Odometry of the latest usable reading; null before the first, and after {@link #restart}. */
  private Pose used;

  /** Motion of the latest reading since the last key frame. */
  private Pose sinceKeyFrame = Pose.ORIGIN;

  /** True if there was a sign since the last usable reading. */
  private boolean hasSign;

  public CarriedRobotDetector(FilterSettings settings) {
    this.settings = settings;
    this.scanCheck = new CarriedRobotScanCheck(settings);
    this.filter = new ReadingFilter(settings);
  }

  /** Continues a run with its reading filter; the next reading counts as having a sign. */
  public void resume(ReadingFilter ofTheRun) {
    filter = ofTheRun;
    hasSign = true;
  }

  /** Enters a recent scan of the run, at its known pose. */
  public void know(Pose pose, Scan scan) {
    scanCheck.know(pose, scan);
  }

  /** Begins anew with the next reading: the robot is somewhere else. */
  public void restart() {
    relocate();
    scanCheck.restart();
    before = null;
    used = null;
    hasSign = false;
  }

  private void relocate() {
    filter.relocate(InitialPose.At.pointedAt(Pose.ORIGIN), settings);
    sinceKeyFrame = Pose.ORIGIN;
  }

  /** Accepts odometry's pose, and begins a new local map: all around the robot has changed. */
  public void trust() {
    scanCheck.restart();
  }

  /** See {@link CarriedRobotScanCheck#expectAtMost}. */
  public void expectAtMost(double fit) {
    scanCheck.expectAtMost(fit);
  }

  /** Judges the next reading. */
  public Judged judge(Reading reading) {
    hasSign |= before != null && isSign(reading);
    before = reading;
    sequence++;
    ReadingFilter.Decision decision = filter.decide(sequence, reading);
    if (!(decision instanceof ReadingFilter.Decision.Accept accept)
        || !accept.step().scan().hasHit()) { // It says nothing of where the robot is.
      return new Judged(Verdict.STANDS, Pose.ORIGIN, Optional.empty());
    }
    Step step = accept.step();
    Pose motion = sinceKeyFrame.to(step.motion());
    sinceKeyFrame = step.keyFrame() ? Pose.ORIGIN : step.motion();
    Pose byOdometry = used == null ? motion : used.to(reading.odometry());
    used = reading.odometry();
    Pose from = scanCheck.here();
    Verdict verdict = scanCheck.check(motion, byOdometry, step.scan(), hasSign);
    hasSign = false;
    if (verdict == Verdict.CARRIED && filter.mayBeMirrored()) {
      scanCheck.restart(); // In each turn, such scans contradict what was seen before it.
      verdict = Verdict.STANDS;
    }
    if (verdict == Verdict.STANDS_STILL) {
      relocate(); // As the run will.
      filter.decide(sequence, reading);
    }
    return new Judged(verdict, from.to(scanCheck.here()), Optional.of(step.scan()));
  }

  private boolean isSign(Reading next) {
    double seconds = (next.stampNanos() - before.stampNanos()) / NANOS_A_SECOND;
    if (seconds < -SET_BACK_SECONDS || seconds > GAP_SECONDS) {
      return true;
    }
    double metres = before.odometry().distance(next.odometry());
    boolean isAnew = MotionPlausibility.mayHaveRestarted(next.odometry());
    return metres > SLACK_METRES + (isAnew ? 0 : METRES_A_SECOND * Math.max(0, seconds));
  }
}
