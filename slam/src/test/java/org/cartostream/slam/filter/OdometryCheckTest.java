package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A robot drives in a small room; its odometry frame is turned against the room's. */
class OdometryCheckTest {

  private static final double FOUND_METRES = 0.05;
  private static final double FOUND_RADIANS = 0.03;
  private static final long PERIOD_NANOS = 100_000_000;

  private Room room = Room.askew();
  private final Intake intake = new Intake(Settings.defaults(FilterSettings.class));
  private Room.Laser laser = Room.Laser.FULL_TURN;
  private Pose truth = new Pose(-0.7, -0.6, 0.4);
  private Pose odometry = new Pose(20, -3, 2);
  private long sequence;
  private long stamp;

  /** Truth at the last key frame. */
  private Pose keyFrame;

  private static Pose ahead(double metres) {
    return new Pose(metres, 0, 0);
  }

  /** The robot moves, and odometry says that it moved; then it takes a reading. */
  private Step move(Pose moved, Pose says) {
    truth = truth.then(moved);
    odometry = odometry.then(says);
    return read(room.scan(truth, laser));
  }

  private Step move(Pose moved) {
    return move(moved, moved);
  }

  private Step read(Scan scan) {
    stamp += PERIOD_NANOS;
    Intake.Decision decision = intake.decide(++sequence, new Reading(stamp, odometry, scan));
    Step step = ((Intake.Decision.Take) decision).step();
    if (step.keyFrame()) {
      keyFrame = truth;
    }
    return step;
  }

  /** Some key frames on a slight curve, so that the surroundings are known. */
  private void lookAround() {
    for (int i = 0; i < 10; i++) {
      assertThat(move(new Pose(0.05, 0, 0.03)).replaced()).isFalse();
    }
  }

  private static void assertMotion(Step step, Pose moved) {
    assertThat(step.searched()).isTrue();
    assertReplaced(step, moved);
  }

  private static void assertReplaced(Step step, Pose moved) {
    assertThat(step.keyFrame()).isTrue();
    assertThat(step.replaced()).isTrue();
    assertThat(step.motion().distance(moved)).isLessThan(FOUND_METRES);
    assertThat(step.motion().theta()).isCloseTo(moved.theta(), within(FOUND_RADIANS));
  }

  @ParameterizedTest(name = "steps of {0} m")
  @ValueSource(doubles = {0.03, 0.05, 0.1})
  void theLaserTellsShortStepsBackThatAreLoggedAsForward(double metres) {
    lookAround();
    Step step = null;
    for (int i = 0; i < 4; i++) {
      step = move(ahead(-metres), ahead(metres));
    }
    assertReplaced(step, ahead(-metres));
    assertThat(step.searched()).isFalse();

    for (int i = 0; i < 10; i++) {
      assertThat(move(Pose.ORIGIN).replaced()).isFalse();
    }
  }

  @ParameterizedTest(name = "{0} beams, a degree apart")
  @ValueSource(ints = {181, 360})
  void theLaserFindsTheMotionThatFrozenOdometryDoesNotReport(int beams) {
    laser = Room.Laser.ahead(beams);
    lookAround();

    assertMotion(move(ahead(0.4), Pose.ORIGIN), ahead(0.4));
  }

  @Test
  void frozenOdometryIsMadeUpForReadingByReading() {
    lookAround();

    for (int i = 0; i < 4; i++) {
      Pose moved = new Pose(0.3, 0, 0.2);
      assertMotion(move(moved, Pose.ORIGIN), moved);
    }
  }

  @Test
  void aRobotThatStandsStillIsBelievedToStandStill() {
    lookAround();

    for (int i = 0; i < 20; i++) {
      Step step = move(Pose.ORIGIN);
      assertThat(step.keyFrame()).isFalse();
      assertThat(step.searched()).isFalse();
    }
  }

  @ParameterizedTest(name = "{0} beams, a degree apart")
  @ValueSource(ints = {181, 360})
  void drivingBackwardsThatIsLoggedAsForwardIsTurnedRound(int beams) {
    laser = Room.Laser.ahead(beams);
    lookAround();

    for (int i = 0; i < 3; i++) {
      assertMotion(move(ahead(-0.3), ahead(0.3)), ahead(-0.3));
    }
  }

  @Test
  void aLaserMountedBackwardsFindsItAsWell() {
    laser = new Room.Laser(new Pose(-0.2, 0.05, Math.PI), 1.6, -Math.PI / 180, 184);
    lookAround();

    assertMotion(move(ahead(0.4), Pose.ORIGIN), ahead(0.4));
  }

  @Test
  void aTurnThatOdometryMissedIsFound() {
    lookAround();

    assertMotion(move(new Pose(0.1, 0, 0.6), ahead(0.1)), new Pose(0.1, 0, 0.6));
  }

  /**
   * Where the hill climb ends at the wrong post; so near to the right one no wide search is due.
   */
  @ParameterizedTest(name = "{0} beams, {1} posts, {2} of the way")
  @CsvSource({"360, 10, 1.35", "180, 10, 1.35", "180, 80, 1.35", "180, 80, 0.6"})
  void wheelsThatSlipOrSkidOnALongStepAreFoundOut(int beams, int posts, double share) {
    laser = Room.Laser.ahead(beams);
    room = corridor(posts);
    truth = new Pose(-1.5, 0, 0);
    lookAround();

    Step step = move(ahead(share), ahead(1));

    assertReplaced(step, ahead(share));
    assertThat(step.searched()).isFalse();
  }

  /** A climb would reach so short a slip, but pulled back by an odometry that is not doubted. */
  @Test
  void whereWheelsSlippedTheLaserIsBelievedForAWhile() {
    laser = Room.Laser.ahead(180);
    room = corridor(10);
    truth = new Pose(-1.5, 0, 0);
    lookAround();
    assertReplaced(move(ahead(1.35), ahead(1)), ahead(1.35));

    for (int i = 0; i < 3; i++) {
      assertReplaced(move(ahead(0.92), ahead(1)), ahead(0.92));
    }
  }

  /**
   * A corridor is the same one step further, and not two, when alcoves come into view: by then the
   * robot is beyond the search's reach, but where it would be at its pace.
   */
  @Test
  void aRobotThatWasDoubtedLateIsFoundWhereItWouldBeAtItsPace() {
    room = corridorWithAlcoves();
    truth = new Pose(-4.5, 0, 0);
    for (int i = 0; i < 10; i++) {
      assertThat(move(ahead(0.05)).replaced()).isFalse();
    }
    assertThat(move(ahead(1)).replaced()).isFalse();
    assertThat(move(ahead(1)).replaced()).isFalse();
    assertThat(move(ahead(1), Pose.ORIGIN).searched()).isFalse();

    assertMotion(move(ahead(1), Pose.ORIGIN), ahead(2));
  }

  /** So long that its ends are out of sight, with two alcoves 5 and 6.5 m from where it starts. */
  private static Room corridorWithAlcoves() {
    return new Room(
        new double[][] {
          {-100, -1.1, 100, -1.1},
          {-100, 1.1, 0, 1.1},
          {0, 1.1, 0, 2.1},
          {0, 2.1, 1, 2.1},
          {1, 2.1, 1, 1.1},
          {1, 1.1, 1.5, 1.1},
          {1.5, 1.1, 1.5, 2.1},
          {1.5, 2.1, 2.5, 2.1},
          {2.5, 2.1, 2.5, 1.1},
          {2.5, 1.1, 100, 1.1}
        });
  }

  /** Ten metres long and 2.2 wide, with posts along its walls. */
  private static Room corridor(int posts) {
    Random random = new Random(5);
    List<double[]> walls = new ArrayList<>();
    walls.add(new double[] {-5, -1.1, 5, -1.1});
    walls.add(new double[] {5, -1.1, 5, 1.1});
    walls.add(new double[] {5, 1.1, -5, 1.1});
    walls.add(new double[] {-5, 1.1, -5, -1.1});
    for (int i = 0; i < posts; i++) {
      double x = -5 + 10 * random.nextDouble();
      double y = random.nextBoolean() ? 1 : -1;
      walls.add(new double[] {x - 0.1, y, x + 0.1, y});
      walls.add(new double[] {x, y - 0.1, x, y + 0.1});
    }
    return new Room(walls.toArray(new double[0][]));
  }

  @Test
  void odometryThatWasLateIsNotBelievedToHaveJumpedWhenItComesRight() {
    lookAround();
    Pose moved = new Pose(0.25, 0, 0.1);
    Pose owed = Pose.ORIGIN;
    for (int i = 0; i < 4; i++) {
      assertMotion(move(moved, Pose.ORIGIN), moved);
      owed = owed.then(moved);
    }

    // It reports five steps at once, one of which was driven.
    assertMotion(move(moved, owed.then(moved)), moved);
    for (int i = 0; i < 10; i++) {
      assertThat(move(new Pose(0.05, 0, 0.1)).replaced()).as("step %d after", i).isFalse();
    }
  }

  /** One step of 0.5 m that is logged as 0.65 proves no slip: two deviations. */
  @Test
  void aClearMatchFarFromOdometryIsWhereParticlesMayStart() {
    lookAround();

    Step step = move(ahead(0.5), ahead(0.65));

    assertThat(step.replaced()).isFalse();
    assertThat(step.motion().x()).isCloseTo(0.65, within(1e-9));
    assertThat(step.start().distance(ahead(0.5))).isLessThan(FOUND_METRES);
    assertThat(step.searched()).isFalse();
    Step sound = move(ahead(0.1));
    assertThat(sound.start()).isEqualTo(sound.motion());
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void soundOdometryIsNeitherReplacedNorDoubted(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 400; i++) {
      // Round an ellipse about the origin of 2.4 by 1.6 m, now and then a halt.
      Pose to = onTheEllipse(0.05 * (i - i / 50 * 5 - Math.min(5, i % 50)));
      Pose moved = i == 0 ? Pose.ORIGIN : truth.to(to);
      truth = to;
      odometry = odometry.then(noisy(moved, random));
      Pose before = keyFrame;

      Step step = read(noisy(room.scan(truth, laser), random));

      assertThat(step.replaced()).as("replaced at %d", i).isFalse();
      assertThat(step.searched()).as("searched at %d", i).isFalse();
      if (before != null) {
        assertThat(step.motion().distance(before.to(truth))).isLessThan(0.02);
      }
    }
  }

  /**
   * One door is like the next in a corridor, and someone who walks there contradicts any pose. A
   * laser that sees 4 m by 45 beams has a few of them for another door, no more.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void doorsThatLookAlikeDoNotReplaceSoundOdometry(long seed) {
    Random random = new Random(seed);
    laser = new Room.Laser(Pose.ORIGIN, -Math.PI / 2, Math.PI / 44, 45);
    truth = new Pose(-30, 0.1, 0);
    int searched = 0;
    for (int i = 0; i < 60; i++) {
      Pose moved = new Pose(0.9 + 0.2 * random.nextDouble(), 0, 0.03 * random.nextGaussian());
      moved = new Pose(moved.x(), 0, moved.theta() - 0.5 * truth.theta() - 0.2 * truth.y());
      truth = truth.then(moved);
      odometry = odometry.then(noisy(moved, random));
      Pose before = keyFrame;
      room = corridorOfDoors(truth.x() + 1 + 2 * random.nextDouble(), random.nextBoolean());

      Step step = read(noisy(shortSighted(room.scan(truth, laser)), random));

      if (before != null) {
        assertThat(step.motion().distance(before.to(truth))).as("at %d", i).isLessThan(0.3);
      }
      searched += step.searched() ? 1 : 0;
    }
    assertThat(searched).as("readings at which odometry was doubted").isGreaterThan(5);
  }

  /** One door looks like the next, so nothing can be proved; but odometry's word is doubtful. */
  @Test
  void aLeapBackAlongACorridorIsRatherTakenForADriveOn() {
    laser = new Room.Laser(Pose.ORIGIN, -Math.PI / 2, Math.PI / 44, 45);
    truth = new Pose(-30, 0.1, 0);
    for (int i = 0; i < 15; i++) {
      driveInTheCorridor(ahead(1));
    }

    Step step = driveInTheCorridor(ahead(-6.1));

    assertThat(step.replaced()).isTrue();
    assertThat(step.motion().distance(ahead(1))).isLessThan(0.1);
  }

  /** The robot drives a metre. */
  private Step driveInTheCorridor(Pose says) {
    truth = truth.then(ahead(1));
    odometry = odometry.then(says);
    room = corridorOfDoors(truth.x() + 2, true);
    return read(shortSighted(room.scan(truth, laser)));
  }

  /** Two metres wide, a door in every 1.3 m of its walls, and someone who walks there. */
  private static Room corridorOfDoors(double personX, boolean left) {
    List<double[]> walls = new ArrayList<>();
    for (int side = -1; side <= 1; side += 2) {
      for (int door = -40; door < 40; door++) {
        double x = 1.3 * door;
        walls.add(new double[] {x, side, x + 0.4, side});
        walls.add(new double[] {x + 0.4, side, x + 0.4, 1.15 * side});
        walls.add(new double[] {x + 0.4, 1.15 * side, x + 1.3, 1.15 * side});
        walls.add(new double[] {x + 1.3, 1.15 * side, x + 1.3, side});
      }
    }
    double personY = left ? 0.5 : -0.7;
    walls.add(new double[] {personX, personY, personX, personY + 0.3});
    walls.add(new double[] {personX, personY, personX + 0.3, personY + 0.15});
    walls.add(new double[] {personX, personY + 0.3, personX + 0.3, personY + 0.15});
    return new Room(walls.toArray(new double[0][]));
  }

  /** The same of a laser that sees 4 m. */
  private static Scan shortSighted(Scan scan) {
    return shortSighted(scan, 4);
  }

  private static Scan shortSighted(Scan scan, double range) {
    return new Scan(
        scan.mount(), scan.startAngle(), scan.angleStep(), scan.minRange(), range, scan.ranges());
  }

  private static Pose onTheEllipse(double angle) {
    double x = 1.2 * Math.cos(angle);
    double y = 0.8 * Math.sin(angle);
    return new Pose(x, y, Math.atan2(0.8 * Math.cos(angle), -1.2 * Math.sin(angle)));
  }

  /** Three per cent of slip, and as much in heading. */
  private static Pose noisy(Pose moved, Random random) {
    return new Pose(
        moved.x() * (1 + 0.03 * random.nextGaussian()),
        moved.y(),
        moved.theta() * (1 + 0.03 * random.nextGaussian()));
  }

  /** Each beam off by a centimetre. */
  private static Scan noisy(Scan scan, Random random) {
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] += (float) (0.01 * random.nextGaussian());
    }
    return new Scan(
        scan.mount(),
        scan.startAngle(),
        scan.angleStep(),
        scan.minRange(),
        scan.maxRange(),
        ranges);
  }

  @Test
  void odometryThatTurnedTheRobotToWhatItNeverSawIsBelieved() {
    laser = Room.Laser.ahead(61);
    lookAround();
    Pose turn = new Pose(0, 0, 2);
    stamp += 1_000_000_000L;

    Step step = move(turn);

    assertThat(step.keyFrame()).isTrue();
    assertThat(step.replaced()).isFalse();
    assertThat(step.motion().distance(Pose.ORIGIN)).isLessThan(1e-9);
    assertThat(step.motion().theta()).isCloseTo(2, within(1e-9));
  }

  /** It lands where nobody has looked, so that nothing contradicts it. */
  @ParameterizedTest(name = "{0} beams, a degree apart; odometry goes to {1}, {2}, {3}")
  @CsvSource({
    "360, 0, 0, 0",
    "360, 0.3, -0.2, 0.5",
    "181, 0, 0, 0",
    "360, 14, -3, 2",
    "181, 3, 3, 2"
  })
  void odometryThatLeapsIsNotBelieved(int beams, double x, double y, double theta) {
    laser = Room.Laser.ahead(beams);
    odometry = new Pose(7, 4, -2);
    lookAround();

    truth = truth.then(ahead(0.1));
    odometry = new Pose(x, y, theta);
    assertMotion(read(room.scan(truth, laser)), ahead(0.1));
    for (int i = 0; i < 10; i++) {
      Step step = move(new Pose(0.05, 0, 0.03));
      assertThat(step.replaced()).isFalse();
      assertThat(step.searched()).isFalse();
    }
  }

  /** As a gyro does that is reset: what the robot would see then, it has never seen. */
  @ParameterizedTest(name = "{0} beams, a degree apart; odometry turns by {1}")
  @CsvSource({"61, 0.8", "61, 1.6", "61, -3", "91, 2.5", "181, -1.3", "181, 3.1", "360, 1.6"})
  void odometryThatTurnsAtOnceIsNotBelieved(int beams, double turn) {
    laser = Room.Laser.ahead(beams);
    lookAround();

    assertMotion(move(ahead(0.05), new Pose(0.05, 0, turn)), ahead(0.05));
    for (int i = 0; i < 10; i++) {
      Step step = move(new Pose(0.05, 0, 0.03));
      assertThat(step.replaced()).isFalse();
      assertThat(step.searched()).isFalse();
    }
  }

  /** Lasers that are switched on with the base begin with scans that cannot be used. */
  @Test
  void aRestartIsSeenThroughThoughItsFirstScanIsRefused() {
    laser = Room.Laser.ahead(91);
    odometry = new Pose(7, 4, -2);
    lookAround();
    odometry = Pose.ORIGIN;
    stamp += 5_000_000_000L;
    Scan nothing = new Scan(Pose.ORIGIN, 0, 0.1, 0.1, 10, new float[0]);
    assertThat(intake.decide(++sequence, new Reading(stamp, odometry, nothing)))
        .isInstanceOf(Intake.Decision.Refuse.class);

    assertMotion(move(Pose.ORIGIN), Pose.ORIGIN);
  }

  /** Into what it never saw: no match tells, but it cannot have been seven metres in 0.1 s. */
  @ParameterizedTest(name = "{0} beams, a degree apart, to {1} m")
  @CsvSource({"61, 30", "91, 30", "91, 4", "181, 3"})
  void aRobotThatTurnsWhileOdometryLeapsHasGoneOnAsItCame(int beams, double range) {
    laser = Room.Laser.ahead(beams);
    truth = new Pose(-1.2, -1, 0.4);
    odometry = new Pose(7, 4, -2);
    for (int i = 0; i < 3; i++) {
      truth = truth.then(new Pose(0.05, 0, 0.03));
      odometry = odometry.then(new Pose(0.05, 0, 0.03));
      read(shortSighted(room.scan(truth, laser), range));
    }

    truth = truth.then(new Pose(0.05, 0, 0.5));
    odometry = Pose.ORIGIN;
    Step step = read(shortSighted(room.scan(truth, laser), range));

    assertThat(step.replaced()).isTrue();
    assertThat(step.motion().distance(ahead(0.05))).isLessThan(0.5);
  }

  /**
   * A step of 1.6 m in half a second is none of this robot's, and none that a robot cannot make.
   *
   * @param there where the laser sees that it is
   */
  @ParameterizedTest(name = "it is {0} m further")
  @ValueSource(doubles = {0.05, 1.6})
  void anUnlikelyStepIsBelievedUnlessTheLaserSeesAnother(double there) {
    laser = Room.Laser.ahead(181);
    truth = new Pose(-1.2, -0.6, 0.4);
    lookAround();

    stamp += 400_000_000L;
    Step step = move(ahead(there), ahead(1.6));

    assertThat(step.motion().distance(ahead(there))).isLessThan(FOUND_METRES);
    assertThat(step.searched()).isTrue();
    assertThat(step.replaced()).isEqualTo(there < 1);
  }

  /** That the laser finds the robot near odometry's word does not say that it is right again. */
  @ParameterizedTest(name = "{0} beams, a degree apart")
  @ValueSource(ints = {61, 91})
  void odometryThatGlitchesAgainAndAgainIsSeenThroughEachTime(int beams) {
    laser = Room.Laser.ahead(beams);
    lookAround();
    Pose right = odometry;
    Pose farAway = new Pose(1.2, 0.9, 2.5);
    Pose near = new Pose(0.3, 0.3, 0.4);
    Pose turned = new Pose(0.5, 0.4, 2.6);
    for (Pose glitch : List.of(farAway, near, turned, Pose.ORIGIN)) {
      truth = truth.then(ahead(0.05));
      right = right.then(ahead(0.05));
      odometry = right.then(glitch);
      assertReplaced(read(room.scan(truth, laser)), ahead(0.05));
    }
    for (int i = 0; i < 10; i++) {
      assertThat(move(new Pose(0.05, 0, 0.03)).replaced()).isFalse();
    }
  }

  /** The jump is refused, and with it odometry's word of what was driven meanwhile. */
  @ParameterizedTest(name = "the robot drives on by {0} m, or stands")
  @ValueSource(doubles = {0.2, 0})
  void whatIsDrivenWhileOdometryJumpsIsNotLost(double metres) {
    for (int i = 0; i < 5; i++) {
      move(new Pose(0.2, 0, 0.1));
    }
    truth = truth.then(ahead(metres));
    odometry = odometry.then(new Pose(30, 0, 0));
    Reading jump = new Reading(stamp + 1, odometry, room.scan(truth, laser));
    assertThat(intake.decide(++sequence, jump)).isInstanceOf(Intake.Decision.Refuse.class);

    assertReplaced(move(ahead(0.1)), ahead(metres + 0.1));
    for (int i = 0; i < 5; i++) {
      assertThat(move(ahead(0.02)).motion().distance(ahead(0.02))).isLessThan(FOUND_METRES);
    }
  }

  @Test
  void aRobotThatStandsWhileOdometryJumpsIsLookedForOnce() {
    lookAround();
    for (int i = 0; i < 12; i++) {
      move(Pose.ORIGIN);
    }
    move(ahead(0.025)); // So that it is expected to go on slowly, and no key frame comes soon.
    odometry = odometry.then(ahead(30));
    Reading jump = new Reading(stamp + 1, odometry, room.scan(truth, laser));
    assertThat(intake.decide(++sequence, jump)).isInstanceOf(Intake.Decision.Refuse.class);

    int searched = 0;
    for (int i = 0; i < 5; i++) {
      searched += move(Pose.ORIGIN).searched() ? 1 : 0;
    }

    assertThat(searched).isLessThan(2);
  }

  /** In that time a robot may have driven so far. */
  @Test
  void odometryThatDroveTheRobotIntoAnotherRoomIsBelieved() {
    laser = Room.Laser.ahead(61);
    lookAround();

    // Where nothing lies near anything that was seen.
    stamp += 5_000_000_000L;
    truth = new Pose(-0.5, 0.5, 2.8);
    odometry = odometry.then(new Pose(-8, 5, 2.5));
    Step step = read(room.scan(truth, laser));

    assertThat(step.replaced()).isFalse();
    assertThat(step.motion().distance(new Pose(-8, 5, 2.5))).isLessThan(1e-9);
  }
}
