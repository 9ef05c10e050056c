package org.cartostream.slam.odometry;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.ScanConsistency;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Check of whether a robot still stands where odometry says: somebody may have carried it. Each
 * scan is compared with what was seen lately. Evidence is contradiction alone: beams that end where
 * it was free, or pass what was there. What is new says nothing, and what was seen long ago is not
 * asked, so no drift before a loop is closed speaks against anybody.
 *
 * <p>People who walk about contradict, too. So without a sign it takes {@value #CARRIED_WEIGHINGS}
 * weighings in a row, 0.2 m or 30 degrees apart; after a sign one scan. Scans in doubt are not
 * taken in.
 *
 * <p>Owns what was seen lately, and the robot's pose there, in a frame of its own.
 */
public final class StandingCheck {

  /** What a scan says. */
  public enum Verdict {
    /** The robot may be where odometry says. */
    STANDS,
    /** The scan contradicts that, or one before it has. */
    IN_DOUBT,
    /** After a sign: the robot is where it was before, whatever odometry says of the way. */
    STANDS_STILL,
    /** The robot is not where odometry says. */
    CARRIED
  }

  private static final int CARRIED_WEIGHINGS = 10;

  private static final double WEIGHING_METRES = 0.2;

  private static final double WEIGHING_RADIANS = StrictMath.toRadians(30);

  /** A robot that stands may be looked at without end; then it stands. */
  private static final int MAX_IN_DOUBT = 2_000;

  /**
   * Share of what is known that is where it was, of a robot that was not carried. In intel, aces,
   * simbad-640 and the office it is less once; in the office's corridors 0.74 to 0.87 of one that
   * was carried to another.
   */
  private static final double MIN_FIT = 0.9;

  /** By a scan of which more is new nothing is recognised. */
  private static final double MAX_UNSEEN = 0.7;

  /** A robot recognises where it was if next to all fits, and no more is new than this. */
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

  /** Motion since a scan was taken in, or weighed, metres and radians. */
  private double metres;

  private double radians;

  private int inDoubt;

  /** Those among them that count as weighings. */
  private int weighings;

  public StandingCheck(FilterSettings settings) {
    this.settings = settings;
    this.search = new CandidateSearch(settings);
  }

  /** Returns the robot's pose at the latest scan, in a frame of its own. */
  public Pose here() {
    return here;
  }

  /** Begins anew with what is seen next: the robot is somewhere else, or all else has changed. */
  public void restart() {
    search = new CandidateSearch(settings);
    isEmpty = true;
    endDoubt();
  }

  private void endDoubt() {
    inDoubt = 0;
    weighings = 0;
  }

  /** Asks for no more than a share of what is known to be where it was: people are about. */
  public void expectAtMost(double fit) {
    minFit = Math.min(minFit, fit);
  }

  /** Takes in a scan whose pose is known. */
  public void know(Pose pose, Scan scan) {
    here = pose;
    search.look(scan);
    takeIn();
  }

  /**
   * Compares the next scan.
   *
   * @param motion since the scan before, as odometry is believed
   * @param byOdometry the same as odometry says it
   * @param hasSign true if something else says that the robot may have been carried
   */
  public Verdict check(Pose motion, Pose byOdometry, Scan scan, boolean hasSign) {
    Pose before = here;
    search.look(scan);
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
    if (hasSign) {
      return afterSign(before);
    }
    if (isWeighing()) {
      weighings++;
      metres = 0;
      radians = 0;
    }
    if (inDoubt == MAX_IN_DOUBT) {
      restart();
      return Verdict.STANDS;
    }
    return weighings < CARRIED_WEIGHINGS ? Verdict.IN_DOUBT : Verdict.CARRIED;
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

  /** Whoever is taken to be elsewhere than odometry says by the laser alone must see it well. */
  private boolean isRecognised(Pose guess) {
    ScanConsistency there = search.near(guess).consistency();
    return there.unseen() <= RECOGNISED_UNSEEN && fit(there) >= MIN_FIT;
  }

  private boolean isWeighing() {
    return metres >= WEIGHING_METRES || radians >= WEIGHING_RADIANS;
  }

  private void takeIn() {
    search.add(here);
    isEmpty = false;
    metres = 0;
    radians = 0;
  }

  private static boolean isKnown(PoseCandidate candidate) {
    return candidate.consistency().unseen() <= MAX_UNSEEN;
  }

  /** What is mostly new ends no doubt. */
  private boolean fits(PoseCandidate candidate) {
    return isKnown(candidate) && !isContradicted(candidate);
  }

  private boolean isContradicted(PoseCandidate candidate) {
    return fit(candidate.consistency()) < minFit;
  }

  /** Returns the share of what is known, of this scan and the last, that is where it was. */
  private static double fit(ScanConsistency consistency) {
    return 1 - consistency.contradicted() / (1 - consistency.unseen() / 2);
  }
}
