package org.cartostream.slam.odometry;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.ScanConsistency;
import org.cartostream.slam.settings.OdometrySettings;

/**
 * Acceptance test for a pose that was found by a search: decides whether it replaces odometry's.
 *
 * <ol>
 *   <li>Its log likelihood must exceed that of odometry's pose by {@code gain} per beam, and by
 *       {@code odds} in all.
 *   <li>Few beams may contradict it, and less than half as many as contradict odometry's pose.
 *       Those must be the more, the farther it is from the expected pose.
 *   <li>Hardly more of its scan may lie where nothing was seen before. If most of the scan does,
 *       likelihood says little: then more beams must contradict odometry's pose, or the gain must
 *       be three times as large.
 * </ol>
 *
 * <p>Less is asked for where something else speaks against odometry: a step that robots do not
 * make, or a scan that changes while odometry stands. The limits were found on recorded logs, sound
 * and with simulated faults, with lasers of full and narrow view, short range and few beams: they
 * tell the right pose from one that looks alike.
 */
final class PoseAcceptance {

  /** Greatest share of the contradictions at odometry's pose that may remain at the pose found. */
  private static final double REMAINING_SHARE = 0.4;

  /**
   * Share of the compared beams that may contradict a found pose at most. It is more than raises a
   * doubt of odometry's pose, for people who walk past contradict every pose.
   */
  private static final double REMAINING = 0.08;

  /**
   * Share of beams that must contradict odometry's pose, per metre from the expected pose to the
   * one found: a corridor of doors looks the same at the next door.
   */
  private static final double CONTRADICTED_PER_METRE = 0.1;

  private static final double CONTRADICTED_PER_RADIAN = 0.25;

  /**
   * Share of the scan by which more may be unseen than at odometry's pose: a pose must not explain
   * the scan by taking it to where nobody looked.
   */
  private static final double MORE_UNSEEN = 0.1;

  /**
   * Share of the beams that are not new that must contradict odometry's pose if most of the scan is
   * new.
   */
  private static final double MOSTLY_NEW = 0.5;

  private static final double CONTRADICTED_IF_NEW = 0.2;

  /**
   * Factor on {@link OdometrySettings#gain} beyond which a gain suffices though most of the scan is
   * new.
   */
  private static final double LARGE_GAIN_FACTOR = 3;

  /**
   * A pose is fair if less than this times {@link OdometrySettings#doubtedShare} contradicts it.
   */
  private static final double FAIR_FACTOR = 2;

  /**
   * Factor below which contradictions count as fewer: people who walk by contradict standing and
   * moving poses alike.
   */
  private static final double FEWER_FACTOR = 0.9;

  /**
   * Share of a scan by which more may be new at the pose of a moving robot than at that of a
   * standing one: behind a door that opens everything is new, and contradicts nothing.
   */
  private static final double MORE_NEW_SHARE = 0.3;

  /** Share of new beams in a scan from which on nothing is recognised. */
  private static final double LOST = 0.8;

  /**
   * Log likelihood per beam that a pose must have if the search started with nothing recognised.
   */
  private static final double FOUND_AGAIN = -0.45;

  private final OdometrySettings settings;

  PoseAcceptance(OdometrySettings settings) {
    this.settings = settings;
  }

  /** Returns true if so many beams contradict the pose that it is doubted. */
  boolean isDoubtful(PoseCandidate poseCandidate) {
    return poseCandidate.consistency().contradicted() >= settings.doubtedShare();
  }

  /** Returns true if what was seen before is seen again, and nothing speaks against the pose. */
  boolean isClear(PoseCandidate poseCandidate) {
    return !isDoubtful(poseCandidate) && !isMostlyNew(poseCandidate.consistency());
  }

  /**
   * Returns true if most of what was seen before is seen again, and little contradicts the pose.
   */
  boolean isFair(PoseCandidate poseCandidate) {
    return poseCandidate.consistency().contradicted() < FAIR_FACTOR * settings.doubtedShare()
        && !isMostlyNew(poseCandidate.consistency());
  }

  /** Returns true if nothing that was seen before is seen from there. */
  boolean isLost(PoseCandidate poseCandidate) {
    return poseCandidate.consistency().unseen() > LOST;
  }

  /**
   * Returns true if a pose gains enough log likelihood per beam, and in all: a few dozen beams
   * often agree elsewhere by chance.
   */
  boolean gainsEnough(PoseCandidate found, PoseCandidate trusted, Beams beams) {
    double gain = found.gainOver(trusted);
    double inAll = gain * beams.count() * beams.evidence(); // As if only these were compared.
    return gain > settings.gain() && inAll > settings.odds();
  }

  /**
   * Returns true if a pose found after a doubt replaces odometry's.
   *
   * @param trusted the match near odometry's pose
   * @param asBefore the pose of a robot that kept its mean motion
   */
  boolean isProved(PoseCandidate found, PoseCandidate trusted, Pose asBefore, Beams beams) {
    double contradicted = trusted.consistency().contradicted();
    double remaining = Math.min(REMAINING, REMAINING_SHARE * contradicted);
    double surprise =
        Math.min(surprise(trusted.pose(), found.pose()), surprise(asBefore, found.pose()));
    return gainsEnough(found, trusted, beams)
        && found.isApartFrom(trusted)
        && contradicted > settings.doubtedShare() + surprise
        && found.consistency().contradicted() <= remaining
        && found.consistency().unseen() <= trusted.consistency().unseen() + MORE_UNSEEN
        && (!isMostlyNew(trusted.consistency())
            || contradicted > CONTRADICTED_IF_NEW
            || isRecognised(found, trusted));
  }

  /**
   * Returns true if the pose found without odometry is taken rather than odometry's.
   *
   * @param trusted the match near odometry's pose
   * @param plausibility plausibility of odometry's motion
   */
  boolean isOutweighed(
      PoseCandidate trusted,
      MotionPlausibility.Plausibility plausibility,
      PoseCandidate went,
      Beams beams) {
    if (plausibility == MotionPlausibility.Plausibility.IMPOSSIBLE) {
      return !isClear(trusted) || !gainsEnough(trusted, went, beams);
    }
    return isClear(went)
        && went.isApartFrom(trusted)
        && (isLost(trusted) || gainsEnough(went, trusted, beams));
  }

  /** True if a pose that was found is likelier than the one that was expected. */
  boolean isBetter(PoseCandidate found, PoseCandidate expected, Beams beams) {
    return isFair(found)
        && (outweighsDistance(found, expected) || gainsEnough(found, expected, beams));
  }

  /**
   * Returns true if a found pose's gain over the expected one outweighs the cost of the distance
   * between them.
   */
  boolean outweighsDistance(PoseCandidate found, PoseCandidate expected) {
    return found.gainOver(expected) > surprise(expected.pose(), found.pose());
  }

  /**
   * Returns true if a robot whose scan has changed is taken to have moved on: fewer beams
   * contradict that, or hardly any; the pose is not mostly in places never seen; and standing still
   * does not gain so much that it would replace another pose.
   *
   * @param standing the match near the pose of a robot that stood
   */
  boolean isLikelierThanStanding(PoseCandidate went, PoseCandidate standing, Beams beams) {
    double max =
        Math.max(settings.doubtedShare(), FEWER_FACTOR * standing.consistency().contradicted());
    return went.isApartFrom(standing)
        && went.consistency().contradicted() <= max
        && went.consistency().unseen() <= standing.consistency().unseen() + MORE_NEW_SHARE
        && !gainsEnough(standing, went, beams);
  }

  /**
   * Returns the cost of a pose's distance from the expected one, as a share of a scan, or in log
   * likelihood per beam.
   */
  private static double surprise(Pose expected, Pose found) {
    return CONTRADICTED_PER_METRE * expected.distance(found)
        + CONTRADICTED_PER_RADIAN * PoseCandidate.headingDifference(expected, found);
  }

  /**
   * Returns true if the pose's gain is several times what is usually needed, and its scan is not
   * mostly new.
   */
  private boolean isRecognised(PoseCandidate found, PoseCandidate trusted) {
    return found.gainOver(trusted) > LARGE_GAIN_FACTOR * settings.gain()
        && !isMostlyNew(found.consistency());
  }

  /**
   * Returns true if a search that started with nothing recognised has found a place seen before.
   */
  boolean isFoundAgain(PoseCandidate found, PoseCandidate trusted, Beams beams) {
    return gainsEnough(found, trusted, beams)
        && found.consistency().logLikelihood() > FOUND_AGAIN
        && !isMostlyNew(found.consistency());
  }

  private static boolean isMostlyNew(ScanConsistency consistency) {
    return consistency.unseen() >= MOSTLY_NEW;
  }
}
