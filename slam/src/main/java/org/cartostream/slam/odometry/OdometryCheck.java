package org.cartostream.slam.odometry;

import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.match.AlongTrackSearch;
import org.cartostream.slam.match.CorrelativeScanMatcher;
import org.cartostream.slam.match.LocalMap;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.motion.MotionModel;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.OdometrySettings;

/**
 * Asks the laser, once per reading, whether odometry can be right: wheels slip, encoders freeze or
 * come late, and some robots log reverse driving as forward.
 *
 * <ol>
 *   <li>The scan is matched to what was seen lately ({@link LocalMap}), around the motion that
 *       odometry reports, corrected by how far the laser stands from its declared mount ({@link
 *       LaserMountEstimator}), and as freely as its error allows. Where that error is larger than
 *       what a hill climb bridges, as on long steps, a {@link AlongTrackSearch} looks for a better
 *       match as far as wheels may have slipped: by scan and odometry together it must be more
 *       likely by {@code odds}, at once or added up over key frames ({@link SlipDetector}), and be
 *       contradicted by less than twice what raises a doubt. It replaces odometry's, if less than
 *       half of the scan is new, for particles would not climb so far either. Or the match itself
 *       tells: if the way by it differs from that by odometry by more than chance, at once or added
 *       up over key frames, it replaces odometry's, too; not between walls that go alongside, which
 *       tell nothing of the way. The ground is taken for slippery for some key frames then:
 *       odometry's error is larger, less is asked of another match, and the best one replaces
 *       odometry's unless it is doubted itself. Where no slip is proved, and the match ends far
 *       from odometry's word all the same, it is handed on: particles may start from there, too,
 *       and say by their own maps and odometry's error whether they do.
 *   <li>There, the share of beams that contradict what was seen is counted: they end in space that
 *       was free, or see through a wall. Below {@code doubtedShare} odometry is believed.
 *   <li>Else a {@link CorrelativeScanMatcher} looks around odometry's word, around standing still,
 *       and where the robot would be had it gone on as it came: in a corridor, odometry that
 *       freezes may not be doubted before the robot is several steps away. The motion that is found
 *       replaces odometry's if it stands the test on the likelihood ({@link PoseAcceptance}).
 *   <li>Between walls that go alongside, nothing contradicts encoders that froze. But where
 *       odometry has a robot stand that drove just now, and the scan is another ({@link
 *       FrozenOdometryDetector}), it moves: as it came, or straight on, or wherever a search finds
 *       it more likely by more than the way there costs. It is taken to stand all the same if more
 *       speaks for that ({@link PoseAcceptance#isLikelierThanStanding}).
 *   <li>Odometry that was late comes right all at once ({@link DelayedOdometry}), often beyond
 *       anything seen lately. So for some readings after a doubt, a scan that recognises nothing is
 *       searched for as well, and where odometry would be had it been right all along is tried
 *       first. What is found must gain as much.
 *   <li>Where odometry reports a step that the robot cannot have made, or hardly ({@link
 *       MotionPlausibility}), as when it was started anew, it need not be contradicted: nothing can
 *       contradict it where nobody has looked. The search leaves its word out. If nothing is found
 *       that is better than to go on as before, as where one door looks like the next, the robot is
 *       taken to have done that. Odometry is believed against it if the laser proves it; if the
 *       step is only unlikely, unless the laser disproves it.
 * </ol>
 *
 * <p>Owns the robot's pose among its surroundings, in a frame of its own that drifts: only motions
 * from one key frame to the next are taken from it.
 */
public final class OdometryCheck {

  /**
   * What the laser says of a motion.
   *
   * @param motion since the last key frame: odometry's, corrected, or the one that replaces it
   * @param start to where the scan was matched, if that is clear and far from odometry's word; else
   *     {@code motion}
   * @param replaced true if it is not odometry's
   * @param searched true if the laser was asked where else the robot may be
   */
  public record CheckedMotion(Pose motion, Pose start, boolean replaced, boolean searched) {}

  /**
   * How far slip may take a robot: standard deviations of the motion's error, but no further than
   * the wheels.
   */
  private static final double SLIP_DEVIATIONS = 4;

  private final FilterSettings settings;
  private final CandidateSearch search;
  private final SlipDetector slipDetector;
  private final LaserMountEstimator mount;
  private final PoseAcceptance poseAcceptance;
  private final MotionPlausibility motionPlausibility = new MotionPlausibility();
  private final FrozenOdometryDetector frozenOdometryDetector = new FrozenOdometryDetector();
  private final DelayedOdometry late;

  /** The robot's pose at the last key frame, and odometry's word then; null before the first. */
  private Pose here;

  private Pose odometryHere;

  /** Where the robot is now, if the reading at hand becomes a key frame. */
  private Pose now = Pose.ORIGIN;

  /** Whether {@link #now} follows from odometry's word alone. */
  private boolean byOdometry;

  public OdometryCheck(FilterSettings settings) {
    this.settings = settings;
    OdometrySettings odometry = settings.odometry();
    search = new CandidateSearch(settings);
    slipDetector = new SlipDetector(odometry.odds());
    mount = new LaserMountEstimator(odometry.mountMetres(), odometry.mountRadians());
    late = new DelayedOdometry(mount);
    poseAcceptance = new PoseAcceptance(odometry);
  }

  /**
   * Judges a reading after the first key frame.
   *
   * @param wheels the motion by odometry since the last key frame
   */
  public CheckedMotion check(Pose wheels, Reading reading) {
    Pose motion = mount.baseMotion(wheels);
    search.look(reading.scan());
    motionPlausibility.read(reading);
    frozenOdometryDetector.read(reading);
    late.read();
    PoseCandidate trusted = nearOdometry(wheels, motion);
    MotionPlausibility.Plausibility plausibility = motionPlausibility.classify(motion);
    boolean isStuck =
        plausibility == MotionPlausibility.Plausibility.USUAL
            && motionPlausibility.mayStillMove()
            && frozenOdometryDetector.isDisproved(reading);
    if (plausibility == MotionPlausibility.Plausibility.GUESSED) {
      mount.discard();
    }
    boolean lost = late.mayComeRight() && poseAcceptance.isLost(trusted);
    boolean doubted = lost || poseAcceptance.isDoubtful(trusted);
    return rightAgain(motion, reading, trusted)
        .or(
            () ->
                plausibility == MotionPlausibility.Plausibility.USUAL
                    ? Optional.empty()
                    : notByOdometry(motion, plausibility, trusted))
        .or(() -> isStuck ? onItsWay(trusted) : Optional.empty())
        .or(() -> doubted ? elsewhere(motion, lost, trusted) : Optional.empty())
        .map(this::replace)
        .orElseGet(
            () ->
                believe(
                    motion,
                    trusted,
                    doubted || isStuck || plausibility != MotionPlausibility.Plausibility.USUAL));
  }

  /** Where odometry says that the robot is, if it was late and has come right. */
  private Optional<PoseCandidate> rightAgain(Pose motion, Reading reading, PoseCandidate trusted) {
    if (!late.mayComeRight() || !late.mayCatchUp(motionPlausibility.deviation(motion), owed())) {
      return Optional.empty();
    }
    PoseCandidate right = hadItBeenRight(reading.odometry());
    boolean isInStep =
        late.fitsMotionBetter(
            motionPlausibility.deviation(here.to(right.pose())),
            motionPlausibility.deviation(motion));
    boolean fits = poseAcceptance.isClear(right) || (isInStep && poseAcceptance.isFair(right));
    if (!fits || !poseAcceptance.gainsEnough(right, trusted, search.beams())) {
      return Optional.empty();
    }
    if (late.hasComeRight(right.pose(), reading.odometry())) {
      late.end();
    } else {
      late.doubt(here, odometryHere);
    }
    return Optional.of(right);
  }

  /**
   * Where the robot is by the laser, or by how it came if the laser knows nothing better; unless it
   * is rather where odometry has it.
   *
   * @param plausibility what is to be thought of odometry's
   */
  private Optional<PoseCandidate> notByOdometry(
      Pose motion, MotionPlausibility.Plausibility plausibility, PoseCandidate trusted) {
    Pose likely =
        plausibility == MotionPlausibility.Plausibility.GUESSED
            ? motion
            : motionPlausibility.continued();
    PoseCandidate expected = search.near(here.then(likely));
    PoseCandidate found = search.best(here, List.of(Pose.ORIGIN, likely), here.then(likely));
    PoseCandidate went =
        poseAcceptance.isBetter(found, expected, search.beams()) ? found : expected;
    if (!poseAcceptance.isOutweighed(trusted, plausibility, went, search.beams())) {
      return Optional.empty();
    }
    doubtOdometry(went);
    return Optional.of(went);
  }

  /** Where a robot is that moves while odometry stands; unless it rather stands. */
  private Optional<PoseCandidate> onItsWay(PoseCandidate trusted) {
    PoseCandidate turning = search.near(here.then(motionPlausibility.continued()));
    PoseCandidate straight = search.near(here.then(motionPlausibility.continuedStraight()));
    PoseCandidate expected = CandidateSearch.better(turning, straight, turning.pose());
    List<Pose> motions =
        List.of(
            Pose.ORIGIN, motionPlausibility.continued(), motionPlausibility.continuedStraight());
    PoseCandidate found = search.best(here, motions, expected.pose());
    PoseCandidate went = poseAcceptance.outweighsDistance(found, expected) ? found : expected;
    if (!poseAcceptance.isLikelierThanStanding(went, trusted, search.beams())) {
      return Optional.empty();
    }
    doubtOdometry(went);
    return Optional.of(went);
  }

  private void doubtOdometry(PoseCandidate went) {
    if (!poseAcceptance.isClear(went)) {
      slipDetector.slipped();
    }
    late.doubt(here, odometryHere);
  }

  /** Where the robot is if the laser proves that it is not where odometry has it. */
  private Optional<PoseCandidate> elsewhere(Pose motion, boolean lost, PoseCandidate trusted) {
    PoseCandidate found =
        search.best(here, List.of(Pose.ORIGIN, motion, motionPlausibility.continued()), here);
    boolean stands =
        lost
            ? poseAcceptance.isFoundAgain(found, trusted, search.beams())
            : poseAcceptance.isProved(
                found, trusted, here.then(motionPlausibility.continued()), search.beams());
    if (!stands) {
      return Optional.empty();
    }
    late.doubt(here, odometryHere);
    return Optional.of(found);
  }

  /**
   * Nobody knows what the robot did in one reading. The laser is asked for some time as where
   * wheels slip.
   *
   * @return the motion that is expected, as odometry would report it
   */
  public Pose predictMissedMotion() {
    slipDetector.slipped();
    return mount.wheelMotion(motionPlausibility.predictMissedMotion());
  }

  /** Where the scan fits best among what odometry's error allows. */
  private PoseCandidate nearOdometry(Pose wheels, Pose motion) {
    MotionModel usual = MotionModel.of(settings.motion(), motion);
    MotionModel error = slipDetector.slippedLately() ? usual.ifWheelsSlip() : usual;
    Prior prior = new Prior(here.then(motion), error.information(here.theta()));
    PoseCandidate climbed = search.climb(prior, prior.mean());
    if (poseAcceptance.isClear(climbed) && search.constrainsTravel(motion)) {
      boolean moved = settings.readingFilter().isKeyFrame(motion);
      slipDetector.compare(motion, here.to(climbed.pose()), usual, moved);
      mount.compare(wheels, here.to(climbed.pose()), usual);
    } else {
      slipDetector.discard();
      mount.discard();
    }
    double direction = here.theta() + StrictMath.atan2(motion.y(), motion.x());
    double reach = Math.min(SLIP_DEVIATIONS * usual.ahead(), Pose.ORIGIN.distance(motion));
    return search
        .alongTrack(prior, climbed.pose(), direction, reach)
        .map(start -> search.climb(prior, start).afterSlip())
        .filter(slipped -> isLikelier(slipped, climbed, prior))
        .orElse(slipDetector.isFound() ? climbed.afterSlip() : climbed);
  }

  private boolean isLikelier(PoseCandidate slipped, PoseCandidate climbed, Prior prior) {
    double nats = search.posterior(slipped.pose(), prior) - search.posterior(climbed.pose(), prior);
    if (nats <= 0 || !slipped.isApartFrom(climbed) || !poseAcceptance.isFair(slipped)) {
      return false;
    }
    double farther = here.distance(slipped.pose()) - here.distance(climbed.pose());
    return slipDetector.isProved(farther, nats);
  }

  private CheckedMotion believe(Pose motion, PoseCandidate trusted, boolean searched) {
    now = trusted.pose();
    boolean mayHaveSlipped =
        trusted.slipped()
            || (slipDetector.slippedLately() && settings.readingFilter().isKeyFrame(motion));
    boolean fits =
        trusted.slipped() ? poseAcceptance.isFair(trusted) : poseAcceptance.isClear(trusted);
    boolean replaced = mayHaveSlipped && fits;
    if (trusted.slipped()) {
      slipDetector.slipped();
    }
    Pose byLaser = here.to(trusted.pose());
    boolean isFar = PoseCandidate.areApart(trusted.pose(), here.then(motion));
    byOdometry = !replaced;
    Pose believed = replaced ? byLaser : motion;
    Pose start = isFar && poseAcceptance.isClear(trusted) ? byLaser : believed;
    return new CheckedMotion(believed, start, replaced, searched);
  }

  private CheckedMotion replace(PoseCandidate by) {
    now = by.pose();
    byOdometry = false;
    slipDetector.discard();
    mount.discard();
    Pose motion = here.to(by.pose());
    return new CheckedMotion(motion, motion, true, true);
  }

  /** How far odometry was behind at the last key frame, metres. */
  private double owed() {
    return late.poseByOdometry(odometryHere).distance(here);
  }

  /** Where odometry would be had it been right all along; over a long way it has drifted, too. */
  private PoseCandidate hadItBeenRight(Pose odometry) {
    Pose guess = late.poseByOdometry(odometry);
    return late.lagsFarBehind(owed()) ? search.around(guess, here) : search.near(guess);
  }

  /** How far the laser seems to stand from its declared mount: what is to be added to that. */
  public Pose mountError(Pose declared) {
    return mount.offset(declared);
  }

  /**
   * Takes in a robot's first key frame, or the first that this one sees.
   *
   * @param mountError what others have found before, see {@link #mountError}
   */
  public void begin(Reading reading, Pose mountError) {
    search.look(reading.scan());
    motionPlausibility.begin(reading);
    frozenOdometryDetector.begin(reading);
    mount.begin(reading.scan().mount(), mountError);
    add(reading);
  }

  /** Takes in the reading that was judged last as a key frame. */
  public void keyFrame(Reading reading) {
    motionPlausibility.keyFrame(here.to(now), byOdometry);
    frozenOdometryDetector.begin(reading);
    slipDetector.keyFrame();
    mount.keyFrame();
    add(reading);
  }

  private void add(Reading reading) {
    here = now;
    odometryHere = reading.odometry();
    search.add(here);
  }
}
