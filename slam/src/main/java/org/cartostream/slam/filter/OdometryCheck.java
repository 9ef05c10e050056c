package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Agreement;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.match.Surroundings;
import org.cartostream.slam.match.WideSearch;
import org.cartostream.slam.sensor.Scan;

/**
 * Asks the laser, once per reading, whether odometry can be right: wheels slip, encoders freeze or
 * come late, and some robots log reverse driving as forward.
 *
 * <ol>
 *   <li>The scan is matched to what was seen lately ({@link Surroundings}), around the motion that
 *       odometry reports and as freely as its error allows.
 *   <li>There, the share of beams that contradict what was seen is counted: they end in space that
 *       was free, or see through a wall. Below {@code doubtedShare} odometry is believed.
 *   <li>Else a {@link WideSearch} looks around odometry's word and around standing still. The
 *       motion that it finds replaces odometry's if it passes the test on the likelihood: a gain of
 *       {@code gain} per beam, with a third of the contradictions at most, and little more of the
 *       scan in places never seen. Where most of it was never seen before, likelihood says little,
 *       and more must contradict.
 *   <li>Odometry that was late comes right all at once, often beyond anything seen lately. So for
 *       some readings after a doubt, a scan that recognises nothing is searched for as well, and
 *       where odometry would be had it been right all along is tried first.
 * </ol>
 *
 * <p>Owns the robot's pose among its surroundings, in a frame of its own that drifts: only motions
 * from one key frame to the next are taken from it.
 */
final class OdometryCheck {

  /**
   * What the laser says of a motion.
   *
   * @param motion since the last key frame: odometry's, or the one that replaces it
   * @param replaced true if it is not odometry's
   * @param searched true if a wide search was needed
   */
  record Verdict(Pose motion, boolean replaced, boolean searched) {}

  /** What a metre, or a radian, counts against a motion that is searched for. */
  private static final double MOTION_COST = 0.02;

  /** Motions nearer to each other than this are one: the particles' matching bridges it. */
  private static final double ANOTHER_METRES = 0.1;

  private static final double ANOTHER_RADIANS = 0.1;

  /** Of the contradictions, a third may remain with the motion that was found, but not many. */
  private static final double REMAINING_SHARE = 1.0 / 3;

  private static final double REMAINING = 0.03;

  /** It must not explain the scan by taking it to where nobody looked. */
  private static final double MORE_UNSEEN = 0.1;

  /** Where most of the scan is new, so much of the rest must contradict. */
  private static final double MOSTLY_NEW = 0.5;

  private static final double CONTRADICTED_IF_NEW = 0.2;

  /** Nothing is recognised: so much of a scan is new. */
  private static final double LOST = 0.8;

  /** What a search must reach that started with nothing recognised. */
  private static final double FOUND_AGAIN = -0.45;

  /** For so many readings after a doubt, odometry may come right again. */
  private static final int LATE_READINGS = 40;

  /** A step that makes good for what is owed: at least so many metres, and half of the debt. */
  private static final double LATE_METRES = 0.3;

  private static final double LATE_SHARE = 0.5;

  /** How freely candidates of the search climb: 0.2 m, 0.1 rad. */
  private static final Symmetric3 LOOSE = new Symmetric3(25, 0, 0, 25, 0, 100);

  private final FilterSettings settings;
  private final Surroundings surroundings;
  private final ScanMatcher matcher;
  private final WideSearch search;

  /** The robot's pose at the last key frame, and odometry's word then; null before the first. */
  private Pose here;

  private Pose odometryHere;

  /** Where the robot is now, if the reading at hand becomes a key frame. */
  private Pose now = Pose.ORIGIN;

  /** Those of the reading at hand. */
  private Beams beams;

  /** The odometry frame's pose before the first of the latest doubts. */
  private Pose odometryFrame;

  /** Readings that odometry may still come right in. */
  private int lateReadings;

  OdometryCheck(FilterSettings settings) {
    this.settings = settings;
    double cell = settings.cellMetres();
    OdometrySettings odometry = settings.odometry();
    surroundings = new Surroundings(odometry.keyFrames(), settings.matcher(), cell);
    matcher = new ScanMatcher(settings.matcher(), cell);
    search = new WideSearch(odometry.searchMetres(), odometry.searchRadians(), cell);
  }

  /** A pose that was tried, and how it agrees. */
  private record Tried(Pose pose, Agreement agreement) {}

  /**
   * Judges a reading after the first key frame.
   *
   * @param motion by odometry since the last key frame, in that key frame's base frame
   * @param odometry at this reading
   */
  Verdict judge(Pose motion, Pose odometry, Scan scan) {
    beams = beams(scan);
    MotionModel error = MotionModel.of(settings.motion(), motion);
    Tried trusted = climb(here.then(motion), error.information(here.theta()), scan);
    boolean mayBeLate = lateReadings > 0;
    lateReadings = Math.max(0, lateReadings - 1);
    if (mayBeLate && makesGood(motion)) {
      Tried late = climb(odometryFrame.then(odometry), LOOSE, scan);
      if (gains(late, trusted) && late.agreement.unseen() < MOSTLY_NEW) {
        lateReadings = 0;
        return replace(late);
      }
    }
    boolean lost = mayBeLate && trusted.agreement.unseen() > LOST;
    if (!lost && trusted.agreement.contradicted() < settings.odometry().doubtedShare()) {
      return believe(motion, trusted, false);
    }
    Tried found = search(motion, scan);
    if (lost ? isFoundAgain(found) : isProved(found, trusted)) {
      if (!mayBeLate) {
        odometryFrame = here.then(odometryHere.inverse());
      }
      lateReadings = LATE_READINGS;
      return replace(found);
    }
    return believe(motion, trusted, true);
  }

  private Verdict believe(Pose motion, Tried trusted, boolean searched) {
    now = trusted.pose;
    return new Verdict(motion, false, searched);
  }

  private Verdict replace(Tried by) {
    now = by.pose;
    return new Verdict(here.to(by.pose), true, true);
  }

  /** True if the step is large enough to bring odometry back to where it should be. */
  private boolean makesGood(Pose motion) {
    double owed = odometryFrame.then(odometryHere).distance(here);
    return Pose.ORIGIN.distance(motion) > Math.max(LATE_METRES, LATE_SHARE * owed);
  }

  private boolean gains(Tried other, Tried trusted) {
    return other.agreement.logLikelihood() - trusted.agreement.logLikelihood()
        > settings.odometry().gain();
  }

  private boolean isProved(Tried found, Tried trusted) {
    double contradicted = trusted.agreement.contradicted();
    return gains(found, trusted)
        && isAnother(found.pose, trusted.pose)
        && found.agreement.contradicted() <= Math.min(REMAINING, REMAINING_SHARE * contradicted)
        && found.agreement.unseen() <= trusted.agreement.unseen() + MORE_UNSEEN
        && (trusted.agreement.unseen() < MOSTLY_NEW || contradicted > CONTRADICTED_IF_NEW);
  }

  private static boolean isAnother(Pose one, Pose other) {
    return one.distance(other) > ANOTHER_METRES
        || Math.abs(Pose.wrap(one.theta() - other.theta())) > ANOTHER_RADIANS;
  }

  private static boolean isFoundAgain(Tried found) {
    return found.agreement.logLikelihood() > FOUND_AGAIN && found.agreement.unseen() < MOSTLY_NEW;
  }

  /** The best within reach of standing still; of where odometry leads, too, if that is far. */
  private Tried search(Pose motion, Scan scan) {
    Tried found = searchAround(here, scan);
    if (Pose.ORIGIN.distance(motion) > settings.odometry().searchMetres() / 2) {
      found = better(found, searchAround(here.then(motion), scan));
    }
    return found;
  }

  private Tried searchAround(Pose guess, Scan scan) {
    TiledMap map = surroundings.map();
    return search.around(map, beams, guess).stream()
        .map(pose -> climb(pose, LOOSE, scan))
        .reduce(this::better)
        .orElseThrow();
  }

  /** The one that agrees better; of two that agree alike, as along a wall, the shorter motion. */
  private Tried better(Tried one, Tried other) {
    return worth(other) > worth(one) ? other : one;
  }

  private double worth(Tried tried) {
    double turn = Math.abs(Pose.wrap(tried.pose.theta() - here.theta()));
    return tried.agreement.logLikelihood() - MOTION_COST * (here.distance(tried.pose) + turn);
  }

  private Tried climb(Pose from, Symmetric3 information, Scan scan) {
    Pose pose = matcher.match(surroundings.map(), beams, new Prior(from, information)).pose();
    return new Tried(pose, surroundings.agreement(pose, scan, beams));
  }

  /** Takes in the reading that was judged last, or a robot's first, as a key frame. */
  void keyFrame(Pose odometry, Scan scan) {
    if (here == null) {
      beams = beams(scan);
    }
    here = now;
    odometryHere = odometry;
    surroundings.add(here, scan, beams);
  }

  private Beams beams(Scan scan) {
    double unitsPerMetre = TiledMap.UNITS / settings.cellMetres();
    return Beams.of(scan, unitsPerMetre, settings.independentRadians());
  }
}
