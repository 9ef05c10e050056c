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

  /** A scan of which more is new tells nothing. */
  private static final double MAX_UNSEEN = 0.7;

  /** Around where it was before a robot is taken to be if next to all fits and little is new. */
  private static final double RECOGNISED_FIT = 0.9;

  private static final double RECOGNISED_UNSEEN = 0.3;

  private static final double BESIDE_METRES = 1;

  private static final double BESIDE_RADIANS = StrictMath.toRadians(30);

  private final FilterSettings settings;
  private double minFit;
  private CandidateSearch search;

  /** True if nothing was seen yet. */
  private boolean isEmpty = true;

  /** The robot's pose at the latest scan. */
  private Pose here = Pose.ORIGIN;

  /** Motion since a scan was taken in, or weighed, metres and radians. */
  private double metres;

  private double radians;

  private int inDoubt;

  /** Sum of what fitted of the scans in doubt, and of the latest after a sign. */
  private double fits;

  /** Those among them that count as weighings. */
  private int weighings;

  /**
   * @param minFit share of what is known that has to be where it was
   */
  public StandingCheck(FilterSettings settings, double minFit) {
    this.settings = settings;
    this.minFit = minFit;
    this.search = new CandidateSearch(settings);
  }

  /** Returns the robot's pose at the latest scan, in a frame of its own. */
  public Pose here() {
    return here;
  }

  /** Begins anew with what is seen next: the robot is somewhere else. */
  public void restart() {
    search = new CandidateSearch(settings);
    isEmpty = true;
    endDoubt();
  }

  private void endDoubt() {
    inDoubt = 0;
    weighings = 0;
    fits = 0;
  }

  /**
   * Begins anew where odometry says: all else has changed.
   *
   * @param enough share of what is known that has to be where it was from now on, if that is less
   */
  public void trust(double enough) {
    restart();
    minFit = Math.min(minFit, enough);
  }

  /** Returns how much of what is known fitted at odometry's place while the robot is in doubt. */
  public double fitInDoubt() {
    return inDoubt == 0 ? 1 : fits / inDoubt;
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
   * @param hasSign true if something else says that the robot may have been carried
   */
  public Verdict check(Pose motion, Scan scan, boolean hasSign) {
    Pose before = here;
    here = before.then(motion);
    metres += Pose.ORIGIN.distance(motion);
    radians += Math.abs(motion.theta());
    search.look(scan);
    if (isEmpty) {
      takeIn();
      return Verdict.STANDS;
    }
    PoseCandidate near = search.near(here);
    if (!isContradicted(near)) {
      endDoubt();
      here = isKnown(near) ? near.pose() : here;
      if (isWeighing()) {
        takeIn();
      }
      return Verdict.STANDS;
    }
    inDoubt++;
    fits += fit(near.consistency());
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
    boolean isBeside =
        before.distance(still.pose()) <= BESIDE_METRES
            && PoseCandidate.headingDifference(before, still.pose()) <= BESIDE_RADIANS;
    ScanConsistency there = still.consistency();
    if (!isBeside || there.unseen() > RECOGNISED_UNSEEN || fit(there) < RECOGNISED_FIT) {
      return Verdict.CARRIED;
    }
    here = still.pose();
    endDoubt();
    return Verdict.STANDS_STILL;
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

  private boolean isContradicted(PoseCandidate candidate) {
    return isKnown(candidate) && fit(candidate.consistency()) < minFit;
  }

  /** Returns the share of what is known, of this scan and the last, that is where it was. */
  private static double fit(ScanConsistency consistency) {
    return 1 - consistency.contradicted() / (1 - consistency.unseen() / 2);
  }
}
