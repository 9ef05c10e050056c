package org.cartostream.slam.odometry;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.FreeSpaceView;
import org.cartostream.slam.match.ScanConsistency;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Check by scans whether somebody has carried a robot away from the pose that odometry gives (the
 * kidnapped robot). Each scan is compared with a local map of the latest ones. Evidence is
 * contradiction alone: beams that end in known free space, or pass through known walls. Beams into
 * unknown space are no evidence, and old scans are not compared, so the drift before a loop is
 * closed contradicts nothing.
 *
 * <p>People who walk about contradict, too. So the robot counts as carried after {@value
 * #CARRIED_WEIGHINGS} contradictory scans in a row, 0.2 m or 30 degrees apart (weighings), that do
 * not contradict each other; after one if odometry does not tell the motion since the scan before.
 * Scans in doubt are not entered into the local map.
 *
 * <p>Owns the local map of the latest scans, and the robot's pose in it.
 */
public final class CarriedRobotScanCheck {

  /** Result of a scan's comparison. */
  public enum Verdict {
    /** The robot may be where odometry says. */
    STANDS,
    /** This scan or one before it contradicts odometry's pose. */
    IN_DOUBT,
    /**
     * After a sign that it was carried: the robot has stayed at its place, whatever motion odometry
     * reports.
     */
    STANDS_STILL,
    /** The robot is not where odometry says. */
    CARRIED
  }

  private static final int CARRIED_WEIGHINGS = 10;

  private static final double WEIGHING_METRES = 0.2;

  private static final double WEIGHING_RADIANS = StrictMath.toRadians(30);

  /**
   * Maximum number of scans in doubt; after that many the robot counts as standing where odometry
   * says.
   */
  private static final int MAX_IN_DOUBT = 2_000;

  /**
   * Least share of the compared beam ends that agree, for a robot that was not carried. In intel,
   * aces, simbad-640 and the office the share is less only once; a robot carried from one of the
   * office's corridors to another has 0.74 to 0.87.
   */
  private static final double MIN_FIT = 0.9;

  /** Greatest share of new beams with which a scan can recognise a place. */
  private static final double MAX_UNSEEN = 0.7;

  /** Greatest share of new beams with which a robot recognises its former place. */
  private static final double RECOGNISED_UNSEEN = 0.3;

  private static final double BESIDE_METRES = 0.5;

  private static final double BESIDE_RADIANS = StrictMath.toRadians(30);

  private final FilterSettings settings;
  private double minFit = MIN_FIT;
  private CandidateSearch search;

  /** True if nothing was seen yet. */
  private boolean isEmpty = true;

  /** The robot's pose at the latest scan. */
  private Pose here = Pose.ORIGIN;

  /** Motion since the last scan that was entered or weighed, metres and radians. */
  private double metres;

  private double radians;

  private int inDoubt;

  /** Number of scans in doubt that count as weighings. */
  private int weighings;

  /** Weighings in doubt that contradict the local map, where odometry says that they were taken. */
  private final List<FreeSpaceView> doubtful = new ArrayList<>();

  /** The latest scans that were entered into the local map. */
  private final Deque<FreeSpaceView> seen = new ArrayDeque<>();

  /** The present scan. */
  private Scan now;

  public CarriedRobotScanCheck(FilterSettings settings) {
    this.settings = settings;
    this.search = new CandidateSearch(settings);
  }

  /** Returns the robot's pose at the latest scan, in a frame of its own. */
  public Pose here() {
    return here;
  }

  /** Begins a new local map with the next scan: the robot, or all around it, has moved. */
  public void restart() {
    search = new CandidateSearch(settings);
    isEmpty = true;
    seen.clear();
    endDoubt();
  }

  private void endDoubt() {
    inDoubt = 0;
    weighings = 0;
    doubtful.clear();
  }

  /**
   * Lowers the share of beam ends that must agree to at most {@code fit}, as where people are
   * about.
   */
  public void expectAtMost(double fit) {
    minFit = Math.min(minFit, fit);
  }

  private void look(Scan scan) {
    now = scan.atMost(settings.odometry().maxBeams());
    search.look(now);
  }

  /** Takes in a scan whose pose is known. */
  public void know(Pose pose, Scan scan) {
    here = pose;
    look(scan);
    takeIn();
  }

  /**
   * Compares the next scan.
   *
   * @param motion motion since the scan before, as corrected by the reading filter
   * @param byOdometry motion since the scan before, by odometry
   * @param hasSign true if something else says that the robot may have been carried
   */
  public Verdict check(Pose motion, Pose byOdometry, Scan scan, boolean hasSign) {
    Pose before = here;
    look(scan);
    if (isEmpty) {
      takeIn();
      return Verdict.STANDS;
    }
    boolean isBelieved = isBeside(motion, byOdometry) || isRecognised(before.then(motion));
    Pose moved = isBelieved ? motion : hasSign ? Pose.ORIGIN : byOdometry;
    here = before.then(moved);
    metres += Pose.ORIGIN.distance(moved);
    radians += Math.abs(moved.theta());
    PoseCandidate near = search.near(here);
    boolean mayStand = inDoubt == 0 ? !isContradicted(near) : fits(near);
    if (mayStand && (isBelieved || !hasSign)) {
      endDoubt();
      here = isKnown(near) ? near.pose() : here;
      if (isWeighing()) {
        takeIn();
      }
      return Verdict.STANDS;
    }
    inDoubt++;
    if (hasSign && !isBelieved) {
      return afterSign(before);
    }
    if (isWeighing()) {
      weighings++;
      metres = 0;
      radians = 0;
      if (isContradicted(near)) {
        doubtful.add(FreeSpaceView.of(here, now));
      }
    }
    if (weighings < CARRIED_WEIGHINGS && inDoubt < MAX_IN_DOUBT) {
      return Verdict.IN_DOUBT;
    }
    if (doubtful.size() == CARRIED_WEIGHINGS && isBreak()) {
      return Verdict.CARRIED;
    }
    restart();
    return Verdict.STANDS;
  }

  /**
   * Returns true if most of the contradiction came with the doubt: the scans in doubt contradict
   * those before them, but not each other. People, uneven floors and errors of odometry go on: of
   * scans taken one after another, all contradict all as much.
   */
  private boolean isBreak() {
    double before = contradiction(doubtful, seen);
    double since = contradiction(doubtful, doubtful);
    return before > 1 - MIN_FIT && since < before / 2;
  }

  /** Returns the mean share of the beams' ends that contradict each other, over pairs of scans. */
  private static double contradiction(
      Collection<FreeSpaceView> ones, Collection<FreeSpaceView> others) {
    return ones.stream()
        .flatMapToDouble(
            one -> others.stream().filter(other -> other != one).mapToDouble(one::contradicted))
        .filter(share -> share >= 0)
        .average()
        .orElse(0);
  }

  private Verdict afterSign(Pose before) {
    PoseCandidate still = search.best(before, List.of(Pose.ORIGIN), before);
    if (!isBeside(before, still.pose()) || !isRecognised(still.pose())) {
      return Verdict.CARRIED;
    }
    here = still.pose();
    endDoubt();
    return Verdict.STANDS_STILL;
  }

  private static boolean isBeside(Pose one, Pose other) {
    return one.distance(other) <= BESIDE_METRES
        && PoseCandidate.headingDifference(one, other) <= BESIDE_RADIANS;
  }

  /**
   * Returns true if the scan fits well around a guess: needed to place the robot elsewhere than
   * odometry does by the laser alone.
   */
  private boolean isRecognised(Pose guess) {
    ScanConsistency there = search.near(guess).consistency();
    return there.unseen() <= RECOGNISED_UNSEEN && fit(there) >= MIN_FIT;
  }

  private boolean isWeighing() {
    return metres >= WEIGHING_METRES || radians >= WEIGHING_RADIANS;
  }

  private void takeIn() {
    search.add(here);
    seen.add(FreeSpaceView.of(here, now));
    if (seen.size() > CARRIED_WEIGHINGS) {
      seen.remove();
    }
    isEmpty = false;
    metres = 0;
    radians = 0;
  }

  private static boolean isKnown(PoseCandidate candidate) {
    return candidate.consistency().unseen() <= MAX_UNSEEN;
  }

  /**
   * Returns true if a candidate fits, and its scan is not mostly new: else a doubt does not end.
   */
  private boolean fits(PoseCandidate candidate) {
    return isKnown(candidate) && !isContradicted(candidate);
  }

  private boolean isContradicted(PoseCandidate candidate) {
    return fit(candidate.consistency()) < minFit;
  }

  /** Returns the share of the compared beam ends, of this scan and the last, that agree. */
  private static double fit(ScanConsistency consistency) {
    return 1 - consistency.contradicted() / (1 - consistency.unseen() / 2);
  }
}
