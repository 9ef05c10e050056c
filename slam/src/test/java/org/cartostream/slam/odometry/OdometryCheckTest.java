package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@link OdometryCheck} makes of wheels that slip, and encoders that freeze or count wrongly.
 */
@Quick
class OdometryCheckTest extends RoomDrive {

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
    return scan.withRanges(ranges);
  }
}
