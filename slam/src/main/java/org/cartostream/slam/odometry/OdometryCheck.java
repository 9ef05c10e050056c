package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.calibration.LaserLagEstimator;
import org.cartostream.slam.calibration.LaserMountEstimator;
import org.cartostream.slam.calibration.MirrorDetector;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.AlongTrackSearch;
import org.cartostream.slam.match.LocalMap;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.odometry.MotionPlausibility.Plausibility;
import org.cartostream.slam.odometry.OdometryHypothesis.Evidence;
import org.cartostream.slam.odometry.OdometryHypothesis.Explanation;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.OdometrySettings;

/**
 * Check, once per reading, whether the laser confirms odometry: wheels slip, encoders freeze or
 * report late, and some robots log reverse driving as forward.
 *
 * <p>The scan is matched to what was seen lately ({@link LocalMap}), around the motion by odometry,
 * corrected by how far the laser stands from its declared mount ({@link LaserMountEstimator}), and
 * as freely as odometry's error allows. That match replaces odometry's motion if it proves a slip:
 *
 * <ul>
 *   <li>On steps whose error is larger than what a hill climb bridges, an {@link AlongTrackSearch}
 *       looks for a better match as far as wheels may have slipped. By scan and odometry together
 *       it must be more likely by {@code odds}, at once or added up over key frames ({@link
 *       SlipDetector}), be contradicted by less than twice what raises a doubt, and see less than
 *       half of the scan as new, for particles would not climb so far either.
 *   <li>The distance driven by the match differs from that by odometry by more than chance, at once
 *       or added up over key frames; not between parallel walls, which do not bound the distance.
 *   <li>For some key frames after a slip the ground counts as slippery: odometry's error is larger,
 *       another match is accepted at lower odds, and the best match replaces odometry's motion
 *       unless it is doubted.
 * </ul>
 *
 * <p>If no slip is proved, but the match is far from odometry's pose, particles may start from the
 * match, too; their own maps and odometry's error decide.
 *
 * <p>Else these hypotheses are tried in this order, and the first that explains the reading
 * replaces odometry's motion. If none does, odometry is believed.
 *
 * <ol>
 *   <li>{@link CaughtUpHypothesis} is the first, for odometry comes right by a step that the others
 *       would take for implausible or contradicted.
 *   <li>{@link ImplausibleStepHypothesis} precedes those that need a contradiction, for such a step
 *       may lead to where nothing can contradict it.
 *   <li>{@link FrozenOdometryHypothesis} precedes the general search, which asks for more proof.
 *   <li>{@link ContradictedPoseHypothesis} covers all other errors.
 * </ol>
 *
 * <p>Owns the robot's pose in the local map, whose frame drifts: only motions from one key frame to
 * the next are taken from it.
 */
public final class OdometryCheck {

  /**
   * The motion that is used for a reading.
   *
   * @param motion since the last key frame: odometry's motion, corrected, or the motion that
   *     replaces it
   * @param start motion to the pose at which the scan was matched, if that is clear and far from
   *     odometry's pose; else {@code motion}
   * @param replaced true if {@code motion} is not odometry's
   * @param searched true if a wide search for the robot's pose was made
   */
  public record CheckedMotion(Pose motion, Pose start, boolean replaced, boolean searched) {}

  /**
   * Greatest slip that is looked for, in standard deviations of the motion's error; it is no more
   * than the wheels turned.
   */
  private static final double SLIP_DEVIATIONS = 4;

  private final FilterSettings settings;
  private final CandidateSearch search;
  private final SlipDetector slip;
  private final LaserMountEstimator mount;
  private final MirrorDetector mirror;
  private final LaserLagEstimator lag;
  private final PoseAcceptance acceptance;
  private final MotionPlausibility plausibility = new MotionPlausibility();
  private final FrozenOdometryDetector frozen = new FrozenOdometryDetector();
  private final DelayedOdometry delayed;
  private final List<OdometryHypothesis> hypotheses;

  /** The robot's pose, and odometry's, at the last key frame; null before the first. */
  private Pose here;

  private Pose odometryHere;

  /**
   * The motion by odometry since the last key frame, if the present reading becomes a key frame.
   */
  private Pose wheels = Pose.ORIGIN;

  /** The robot's present pose, if the present reading becomes a key frame. */
  private Pose now = Pose.ORIGIN;

  /** True if {@link #now} follows from odometry alone. */
  private boolean byOdometry;

  public OdometryCheck(FilterSettings settings) {
    this.settings = settings;
    OdometrySettings odometry = settings.odometry();
    search = new CandidateSearch(settings);
    slip = new SlipDetector(odometry.odds());
    mount = new LaserMountEstimator(odometry.sigmaMountMetres(), odometry.sigmaMountRadians());
    mirror = new MirrorDetector(odometry.odds());
    lag = new LaserLagEstimator(odometry.odds(), settings.motion());
    delayed = new DelayedOdometry(mount);
    acceptance = new PoseAcceptance(odometry);
    hypotheses =
        List.of(
            new CaughtUpHypothesis(search, acceptance, plausibility, delayed),
            new ImplausibleStepHypothesis(search, acceptance, plausibility),
            new FrozenOdometryHypothesis(search, acceptance, plausibility, frozen),
            new ContradictedPoseHypothesis(search, acceptance, plausibility, delayed));
  }

  /** Returns the hypotheses in the order in which they are tried. */
  List<OdometryHypothesis> hypotheses() {
    return hypotheses;
  }

  /**
   * Checks a reading after the first key frame.
   *
   * @param wheels the motion by odometry since the last key frame
   */
  public CheckedMotion check(Pose wheels, Reading reading) {
    CheckedMotion checkedMotion = decide(look(wheels, reading));
    lag.read(reading, now.theta());
    return checkedMotion;
  }

  CheckedMotion decide(Evidence evidence) {
    boolean searched = false;
    for (OdometryHypothesis hypothesis : hypotheses) {
      if (hypothesis.applies(evidence)) {
        Optional<Explanation> explanation = hypothesis.explain(evidence);
        if (explanation.isPresent()) {
          return replace(explanation.get());
        }
        searched |= hypothesis.isDoubt();
      }
    }
    return believe(evidence, searched);
  }

  /** Makes a reading the present one; returns its evidence. */
  Evidence look(Pose wheels, Reading reading) {
    this.wheels = wheels;
    Pose motion = mount.baseMotion(wheels);
    search.look(reading.scan());
    plausibility.read(reading);
    frozen.read(reading);
    delayed.read();
    PoseCandidate trusted = nearOdometry(wheels, motion);
    Plausibility ofMotion = plausibility.classify(motion);
    if (ofMotion == Plausibility.GUESSED) {
      mount.discard();
    }
    return new Evidence(reading, here, odometryHere, motion, trusted, ofMotion);
  }

  /**
   * Predicts the motion in a reading without usable odometry. For some time the laser is then
   * trusted as after a slip.
   *
   * @return the expected motion, as odometry would report it
   */
  public Pose predictMissedMotion() {
    slip.slipped();
    return mount.wheelMotion(plausibility.predictMissedMotion());
  }

  /** Returns the pose at which the scan fits best within odometry's error. */
  private PoseCandidate nearOdometry(Pose wheels, Pose motion) {
    MotionModel usual = MotionModel.of(settings.motion(), motion);
    MotionModel error = slip.slippedLately() ? usual.ifWheelsSlip() : usual;
    Prior prior = new Prior(here.then(motion), error.information(here.theta()));
    PoseCandidate climbed = search.climb(prior, prior.mean());
    if (acceptance.isClear(climbed) && search.constrainsTravel(motion)) {
      boolean moved = settings.readingFilter().isKeyFrame(motion);
      slip.compare(motion, here.to(climbed.pose()), usual, moved);
      mount.compare(wheels, here.to(climbed.pose()), usual);
    } else {
      slip.discard();
      mount.discard();
    }
    double direction = here.theta() + StrictMath.atan2(motion.y(), motion.x());
    double reach = Math.min(SLIP_DEVIATIONS * usual.ahead(), Pose.ORIGIN.distance(motion));
    return search
        .alongTrack(prior, climbed.pose(), direction, reach)
        .map(start -> search.climb(prior, start).afterSlip())
        .filter(slipped -> isLikelier(slipped, climbed, prior))
        .orElse(slip.isFound() ? climbed.afterSlip() : climbed);
  }

  private boolean isLikelier(PoseCandidate slipped, PoseCandidate climbed, Prior prior) {
    double nats = search.posterior(slipped.pose(), prior) - search.posterior(climbed.pose(), prior);
    if (nats <= 0 || !slipped.isApartFrom(climbed) || !acceptance.isFair(slipped)) {
      return false;
    }
    double farther = here.distance(slipped.pose()) - here.distance(climbed.pose());
    return slip.isProved(farther, nats);
  }

  private CheckedMotion believe(Evidence evidence, boolean searched) {
    PoseCandidate trusted = evidence.trusted();
    Pose motion = evidence.motion();
    now = trusted.pose();
    boolean mayHaveSlipped =
        trusted.slipped() || (slip.slippedLately() && settings.readingFilter().isKeyFrame(motion));
    boolean fits = trusted.slipped() ? acceptance.isFair(trusted) : acceptance.isClear(trusted);
    boolean replaced = mayHaveSlipped && fits;
    if (trusted.slipped()) {
      slip.slipped();
    }
    Pose byLaser = here.to(trusted.pose());
    boolean isFar = PoseCandidate.areApart(trusted.pose(), here.then(motion));
    byOdometry = !replaced;
    Pose believed = replaced ? byLaser : motion;
    Pose start = isFar && acceptance.isClear(trusted) ? byLaser : believed;
    return new CheckedMotion(believed, start, replaced, searched);
  }

  private CheckedMotion replace(Explanation by) {
    if (by.odometryIsRight()) {
      delayed.end();
    } else {
      delayed.doubt(here, odometryHere);
    }
    if (by.mayHaveSlipped()) {
      slip.slipped();
    }
    now = by.pose().pose();
    byOdometry = false;
    slip.discard();
    mount.discard();
    Pose motion = here.to(now);
    return new CheckedMotion(motion, motion, true, true);
  }

  /**
   * Returns the estimated error of the laser's declared mount: what is to be added to the mount.
   */
  public Pose mountError(Pose declared) {
    return mount.offset(declared);
  }

  /** Returns true from the first key frame on. */
  public boolean hasBegun() {
    return here != null;
  }

  /** Takes in a robot's first key frame. */
  public void begin(Reading reading) {
    search.look(reading.scan());
    plausibility.begin(reading);
    frozen.begin(reading);
    mount.begin(reading.scan().mount());
    add(reading);
  }

  /** Returns by how much scans are stamped too late, see {@link LaserLagEstimator#lagSeconds}. */
  public double lagSeconds() {
    return lag.lagSeconds();
  }

  /** True if {@link #isMirrored} may still become true. */
  public boolean mayBeMirrored() {
    return mirror.mayBeMirrored();
  }

  /** Returns true if the scans are mirrored, see {@link MirrorDetector}. */
  public boolean isMirrored() {
    return mirror.isMirrored();
  }

  /** Takes in the reading that was checked last as a key frame. */
  public void keyFrame(Reading reading) {
    double deviation = MotionModel.of(settings.motion(), wheels).heading();
    mirror.keyFrame(wheels.theta(), here.to(now).theta(), deviation);
    plausibility.keyFrame(here.to(now), byOdometry);
    frozen.begin(reading);
    slip.keyFrame();
    mount.keyFrame();
    add(reading);
  }

  private void add(Reading reading) {
    here = now;
    odometryHere = reading.odometry();
    search.add(here);
  }
}
