package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link OdometryCheck} makes of steps that a robot cannot have made, or hardly. */
@Quick
class OdometryJumpTest extends RoomDrive {

  /** One door looks like the next, so nothing can be proved; but odometry's pose is doubtful. */
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
    assertThat(readingFilter.decide(++sequence, new Reading(stamp, odometry, nothing)))
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);

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

  /** That the laser finds the robot near odometry's pose does not say that it is right again. */
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

  /** The jump is refused, and with it odometry's report of what was driven meanwhile. */
  @ParameterizedTest(name = "the robot drives on by {0} m, or stands")
  @ValueSource(doubles = {0.2, 0})
  void whatIsDrivenWhileOdometryJumpsIsNotLost(double metres) {
    for (int i = 0; i < 5; i++) {
      move(new Pose(0.2, 0, 0.1));
    }
    truth = truth.then(ahead(metres));
    odometry = odometry.then(new Pose(30, 0, 0));
    Reading jump = new Reading(stamp + 1, odometry, room.scan(truth, laser));
    assertThat(readingFilter.decide(++sequence, jump))
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);

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
    assertThat(readingFilter.decide(++sequence, jump))
        .isInstanceOf(ReadingFilter.Decision.Refuse.class);

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
