package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.Symmetric3;
import org.cartostream.slam.map.TiledMap;
import org.cartostream.slam.match.Beams;
import org.cartostream.slam.match.LineSearch;
import org.cartostream.slam.match.Prior;
import org.cartostream.slam.match.ScanMatcher;
import org.cartostream.slam.match.Surroundings;
import org.cartostream.slam.match.WideSearch;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;

/**
 * Asks the laser, once per reading, whether odometry can be right: wheels slip, encoders freeze or
 * come late, and some robots log reverse driving as forward.
 *
 * <ol>
 *   <li>The scan is matched to what was seen lately ({@link Surroundings}), around the motion that
 *       odometry reports, corrected by how far the laser stands from its declared mount ({@link
 *       MountError}), and as freely as its error allows. Where that error is larger than what a
 *       hill climb bridges, as on long steps, a {@link LineSearch} looks for a better match as far
 *       as wheels may have slipped: by scan and odometry together it must be more likely by {@code
 *       odds}, at once or added up over key frames ({@link Slippage}), and be contradicted by less
 *       than twice what raises a doubt. It replaces odometry's, if less than half of the scan is
 *       new, for particles would not climb so far either. Or the match itself tells: if the way by
 *       it differs from that by odometry by more than chance, at once or added up over key frames,
 *       it replaces odometry's, too; not between walls that go alongside, which tell nothing of the
 *       way. The ground is taken for slippery for some key frames then: odometry's error is larger,
 *       less is asked of another match, and the best one replaces odometry's unless it is doubted
 *       itself. Where no slip is proved, and the match ends far from odometry's word all the same,
 *       it is handed on: particles may start from there, too, and say by their own maps and
 *       odometry's error whether they do.
 *   <li>There, the share of beams that contradict what was seen is counted: they end in space that
 *       was free, or see through a wall. Below {@code doubtedShare} odometry is believed.
 *   <li>Else a {@link WideSearch} looks around odometry's word, around standing still, and where
 *       the robot would be had it gone on as it came: in a corridor, odometry that freezes may not
 *       be doubted before the robot is several steps away. The motion that is found replaces
 *       odometry's if it stands the test on the likelihood ({@link Proof}).
 *   <li>Between walls that go alongside, nothing contradicts encoders that froze. But where
 *       odometry has a robot stand that drove just now, and the scan is another ({@link
 *       Standstill}), it moves: as it came, or straight on, or wherever a search finds it more
 *       likely by more than the way there costs. It is taken to stand all the same if more speaks
 *       for that ({@link Proof#isRatherThanStanding}).
 *   <li>Odometry that was late comes right all at once ({@link LateOdometry}), often beyond
 *       anything seen lately. So for some readings after a doubt, a scan that recognises nothing is
 *       searched for as well, and where odometry would be had it been right all along is tried
 *       first. What is found must gain as much.
 *   <li>Where odometry reports a step that the robot cannot have made, or hardly ({@link Pace}), as
 *       when it was started anew, it need not be contradicted: nothing can contradict it where
 *       nobody has looked. The search leaves its word out. If nothing is found that is better than
 *       to go on as before, as where one door looks like the next, the robot is taken to have done
 *       that. Odometry is believed against it if the laser proves it; if the step is only unlikely,
 *       unless the laser disproves it.
 * </ol>
 *
 * <p>Owns the robot's pose among its surroundings, in a frame of its own that drifts: only motions
 * from one key frame to the next are taken from it.
 */
final class OdometryCheck {

  /**
   * What the laser says of a motion.
   *
   * @param motion since the last key frame: odometry's, corrected, or the one that replaces it
   * @param start to where the scan was matched, if that is clear and far from odometry's word; else
   *     {@code motion}
   * @param replaced true if it is not odometry's
   * @param searched true if the laser was asked where else the robot may be
   */
  record Verdict(Pose motion, Pose start, boolean replaced, boolean searched) {}

  /**
   * What a metre, or a radian, from where it is expected counts against a pose that is searched.
   */
  private static final double WAY_COST = 0.02;

  /**
   * How far slip may take a robot: standard deviations of the motion's error, but no further than
   * the wheels.
   */
  private static final double SLIP_DEVIATIONS = 4;

  /** How freely candidates of the search climb: 0.2 m, 0.1 rad. */
  private static final Symmetric3 LOOSE = new Symmetric3(25, 0, 0, 25, 0, 100);

  private final FilterSettings settings;
  private final double unitsPerMetre;
  private final Surroundings surroundings;
  private final ScanMatcher matcher;
  private final LineSearch line;
  private final WideSearch search;
  private final Slippage slippage;
  private final MountError mount;
  private final Proof proof;
  private final Pace pace = new Pace();
  private final Standstill standstill = new Standstill();
  private final LateOdometry late;

  /** The robot's pose at the last key frame, and odometry's word then; null before the first. */
  private Pose here;

  private Pose odometryHere;

  /** Where the robot is now, if the reading at hand becomes a key frame. */
  private Pose now = Pose.ORIGIN;

  /** Whether {@link #now} follows from odometry's word alone. */
  private boolean byOdometry;

  /** Those of the reading at hand. */
  private Beams beams;

  OdometryCheck(FilterSettings settings) {
    this.settings = settings;
    double cell = settings.cellMetres();
    unitsPerMetre = TiledMap.UNITS / cell;
    OdometrySettings odometry = settings.odometry();
    surroundings = new Surroundings(odometry.keyFrames(), settings.matcher(), cell);
    matcher = new ScanMatcher(settings.matcher(), cell);
    slippage = new Slippage(odometry.odds());
    mount = new MountError(odometry.mountMetres(), odometry.mountRadians());
    late = new LateOdometry(mount);
    proof = new Proof(odometry);
    line = new LineSearch(matcher, settings.matcher().kernelMetres());
    search = new WideSearch(odometry.searchMetres(), odometry.searchRadians(), cell);
  }

  /**
   * Judges a reading after the first key frame.
   *
   * @param wheels the motion by odometry since the last key frame
   */
  Verdict judge(Pose wheels, Reading reading) {
    Pose motion = mount.motion(wheels);
    Scan scan = reading.scan();
    beams = beams(scan);
    pace.read(reading);
    standstill.read(reading);
    late.read();
    Tried trusted = nearOdometry(wheels, motion, scan);
    Pace.Stride stride = pace.of(motion);
    boolean isStuck =
        stride == Pace.Stride.USUAL && pace.mayGoOn() && standstill.isDisproved(reading);
    if (stride == Pace.Stride.GUESSED) {
      mount.leaveOut();
    }
    boolean lost = late.mayComeRight() && proof.isLost(trusted);
    boolean doubted = lost || proof.isDoubtful(trusted);
    return rightAgain(motion, reading, trusted)
        .or(
            () ->
                stride == Pace.Stride.USUAL
                    ? Optional.empty()
                    : notByOdometry(motion, stride, trusted, scan))
        .or(() -> isStuck ? onItsWay(trusted, scan) : Optional.empty())
        .or(() -> doubted ? elsewhere(motion, lost, trusted, scan) : Optional.empty())
        .map(this::replace)
        .orElseGet(
            () -> believe(motion, trusted, doubted || isStuck || stride != Pace.Stride.USUAL));
  }

  /** Where odometry says that the robot is, if it was late and has come right. */
  private Optional<Tried> rightAgain(Pose motion, Reading reading, Tried trusted) {
    if (!late.mayComeRight() || !late.makesGood(pace.outOfStep(motion), owed())) {
      return Optional.empty();
    }
    Tried right = hadItBeenRight(reading.odometry(), reading.scan());
    boolean isInStep = late.isInStep(pace.outOfStep(here.to(right.pose())), pace.outOfStep(motion));
    boolean fits = proof.isClear(right) || (isInStep && proof.isFair(right));
    if (!fits || !proof.gains(right, trusted, beams)) {
      return Optional.empty();
    }
    if (late.hasComeRight(right.pose(), reading.odometry())) {
      late.isOver();
    } else {
      late.doubt(here, odometryHere);
    }
    return Optional.of(right);
  }

  /**
   * Where the robot is by the laser, or by how it came if the laser knows nothing better; unless it
   * is rather where odometry has it.
   *
   * @param stride what is to be thought of odometry's
   */
  private Optional<Tried> notByOdometry(Pose motion, Pace.Stride stride, Tried trusted, Scan scan) {
    Pose likely = stride == Pace.Stride.GUESSED ? motion : pace.asBefore();
    Tried expected = climb(here.then(likely), LOOSE, scan);
    Tried found = search(List.of(Pose.ORIGIN, likely), here.then(likely), scan);
    Tried went = proof.isBetter(found, expected, beams) ? found : expected;
    if (!proof.isOutweighed(trusted, stride, went, beams)) {
      return Optional.empty();
    }
    doubtOdometry(went);
    return Optional.of(went);
  }

  /** Where a robot is that moves while odometry stands; unless it rather stands. */
  private Optional<Tried> onItsWay(Tried trusted, Scan scan) {
    Tried turning = climb(here.then(pace.asBefore()), LOOSE, scan);
    Tried straight = climb(here.then(pace.straightOn()), LOOSE, scan);
    Tried expected = better(turning, straight, turning.pose());
    List<Pose> motions = List.of(Pose.ORIGIN, pace.asBefore(), pace.straightOn());
    Tried found = search(motions, expected.pose(), scan);
    Tried went = proof.isWorthTheWay(found, expected) ? found : expected;
    if (!proof.isRatherThanStanding(went, trusted, beams)) {
      return Optional.empty();
    }
    doubtOdometry(went);
    return Optional.of(went);
  }

  private void doubtOdometry(Tried went) {
    if (!proof.isClear(went)) {
      slippage.begin();
    }
    late.doubt(here, odometryHere);
  }

  /** Where the robot is if the laser proves that it is not where odometry has it. */
  private Optional<Tried> elsewhere(Pose motion, boolean lost, Tried trusted, Scan scan) {
    Tried found = search(List.of(Pose.ORIGIN, motion, pace.asBefore()), here, scan);
    boolean stands =
        lost
            ? proof.isFoundAgain(found, trusted, beams)
            : proof.isProved(found, trusted, here.then(pace.asBefore()), beams);
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
  Pose missOne() {
    slippage.begin();
    return mount.wheels(pace.missOne());
  }

  /** Where the scan fits best among what odometry's error allows. */
  private Tried nearOdometry(Pose wheels, Pose motion, Scan scan) {
    MotionModel usual = MotionModel.of(settings.motion(), motion);
    MotionModel error = slippage.mayGoOn() ? usual.ifWheelsSlip() : usual;
    Prior prior = new Prior(here.then(motion), error.information(here.theta()));
    Tried climbed = climb(prior, prior.mean(), scan);
    if (proof.isClear(climbed) && beams.tellHowFar(motion, unitsPerMetre)) {
      boolean moved = settings.intake().isKeyFrame(motion);
      slippage.compare(motion, here.to(climbed.pose()), usual, moved);
      mount.compare(wheels, here.to(climbed.pose()), usual);
    } else {
      slippage.leaveOut();
      mount.leaveOut();
    }
    double direction = here.theta() + StrictMath.atan2(motion.y(), motion.x());
    double reach = Math.min(SLIP_DEVIATIONS * usual.ahead(), Pose.ORIGIN.distance(motion));
    return line.peak(surroundings.map(), beams, prior, climbed.pose(), direction, reach)
        .map(start -> climb(prior, start, scan).bySlip())
        .filter(slipped -> isLikelier(slipped, climbed, prior))
        .orElse(slippage.isFound() ? climbed.bySlip() : climbed);
  }

  private boolean isLikelier(Tried slipped, Tried climbed, Prior prior) {
    double nats = posterior(slipped.pose(), prior) - posterior(climbed.pose(), prior);
    if (nats <= 0 || !slipped.isAnotherThan(climbed) || !proof.isFair(slipped)) {
      return false;
    }
    double farther = here.distance(slipped.pose()) - here.distance(climbed.pose());
    return slippage.isProved(farther, nats);
  }

  /** The pose's log likelihood by scan and odometry together, up to a constant. */
  private double posterior(Pose pose, Prior prior) {
    return matcher.logLikelihood(surroundings.map(), beams, pose) + prior.log(pose);
  }

  private Verdict believe(Pose motion, Tried trusted, boolean searched) {
    now = trusted.pose();
    boolean mayHaveSlipped =
        trusted.slipped() || (slippage.mayGoOn() && settings.intake().isKeyFrame(motion));
    boolean fits = trusted.slipped() ? proof.isFair(trusted) : proof.isClear(trusted);
    boolean replaced = mayHaveSlipped && fits;
    if (trusted.slipped()) {
      slippage.begin();
    }
    Pose byLaser = here.to(trusted.pose());
    boolean isFar = Tried.areApart(trusted.pose(), here.then(motion));
    byOdometry = !replaced;
    Pose believed = replaced ? byLaser : motion;
    Pose start = isFar && proof.isClear(trusted) ? byLaser : believed;
    return new Verdict(believed, start, replaced, searched);
  }

  private Verdict replace(Tried by) {
    now = by.pose();
    byOdometry = false;
    slippage.leaveOut();
    mount.leaveOut();
    Pose motion = here.to(by.pose());
    return new Verdict(motion, motion, true, true);
  }

  /** How far odometry was behind at the last key frame, metres. */
  private double owed() {
    return late.where(odometryHere).distance(here);
  }

  /** Where odometry would be had it been right all along; over a long way it has drifted, too. */
  private Tried hadItBeenRight(Pose odometry, Scan scan) {
    Pose guess = late.where(odometry);
    return late.owesMuch(owed()) ? searchAround(guess, here, scan) : climb(guess, LOOSE, scan);
  }

  /**
   * The best of what is found around each motion that is likely, unless another's search sees it.
   *
   * @param expected of two poses that agree alike the one that is nearer to this is taken
   */
  private Tried search(List<Pose> motions, Pose expected, Scan scan) {
    List<Pose> guesses = new ArrayList<>();
    for (Pose likely : motions) {
      if (guesses.stream().noneMatch(other -> isInReach(other, likely))) {
        guesses.add(likely);
      }
    }
    return guesses.stream()
        .map(guess -> searchAround(here.then(guess), expected, scan))
        .reduce((one, other) -> better(one, other, expected))
        .orElseThrow();
  }

  private boolean isInReach(Pose guess, Pose other) {
    return guess.distance(other) <= settings.odometry().searchMetres() / 2
        && Tried.turn(guess, other) <= settings.odometry().searchRadians() / 2;
  }

  private Tried searchAround(Pose guess, Pose expected, Scan scan) {
    TiledMap map = surroundings.map();
    return search.around(map, beams, guess).stream()
        .map(pose -> climb(pose, LOOSE, scan))
        .reduce((one, other) -> better(one, other, expected))
        .orElseThrow();
  }

  /** The one that agrees better; of two that agree alike, as along a wall, the one less far. */
  private static Tried better(Tried one, Tried other, Pose expected) {
    return worth(other, expected) > worth(one, expected) ? other : one;
  }

  private static double worth(Tried tried, Pose expected) {
    double way = expected.distance(tried.pose()) + Tried.turn(expected, tried.pose());
    return tried.agreement().logLikelihood() - WAY_COST * way;
  }

  private Tried climb(Pose from, Symmetric3 information, Scan scan) {
    return climb(new Prior(from, information), from, scan);
  }

  private Tried climb(Prior prior, Pose start, Scan scan) {
    Pose pose = matcher.match(surroundings.map(), beams, prior, start).pose();
    return new Tried(pose, surroundings.agreement(pose, scan, beams), false);
  }

  /** How far the laser seems to stand from its declared mount: what is to be added to that. */
  Pose mountError(Pose declared) {
    return mount.of(declared);
  }

  /**
   * Takes in a robot's first key frame, or the first that this one sees.
   *
   * @param mountError what others have found before, see {@link #mountError}
   */
  void begin(Reading reading, Pose mountError) {
    beams = beams(reading.scan());
    pace.begin(reading);
    standstill.begin(reading);
    mount.begin(reading.scan().mount(), mountError);
    add(reading);
  }

  /** Takes in the reading that was judged last as a key frame. */
  void keyFrame(Reading reading) {
    pace.keyFrame(here.to(now), byOdometry);
    standstill.begin(reading);
    slippage.keyFrame();
    mount.keyFrame();
    add(reading);
  }

  private void add(Reading reading) {
    here = now;
    odometryHere = reading.odometry();
    surroundings.add(here, reading.scan(), beams);
  }

  private Beams beams(Scan scan) {
    return Beams.of(scan, unitsPerMetre, settings.independentRadians());
  }
}
