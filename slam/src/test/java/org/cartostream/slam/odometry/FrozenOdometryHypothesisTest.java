package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.sensor.Room;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoders that freeze where walls go alongside, and robots that stand there. */
@Quick
class FrozenOdometryHypothesisTest extends RoomDrive {

  @BeforeEach
  void oneReadingASecondInACorridorOfDoors() {
    periodNanos = 1_000_000_000;
    laser = Room.Laser.ahead(181);
    room = corridorOfDoors(1000, true);
    truth = new Pose(-30, 0.1, 0);
  }

  /** One door is like the next: the laser alone takes the robot for standing, or for anywhere. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aRobotWhoseEncodersFreezeIsTakenToGoOn(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      move(ahead(0.8 + 0.1 * random.nextDouble()));
    }
    Pose frozen = truth;
    Pose found = Pose.ORIGIN;
    for (int i = 0; i < 8; i++) {
      Step step = move(ahead(0.8 + 0.1 * random.nextDouble()), Pose.ORIGIN);
      found = step.keyFrame() ? found.then(step.motion()) : found;
    }
    assertThat(found.distance(frozen.to(truth))).isLessThan(0.5);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aRobotThatStandsAmongPeopleIsBelievedToStand(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      move(ahead(0.8));
    }
    int searched = 0;
    for (int i = 0; i < 12; i++) {
      room = corridorOfDoors(1000, true);
      for (int person = 0; person < 4; person++) {
        double x = truth.x() + 0.5 + 2 * random.nextDouble();
        room = with(room, person(x, random.nextDouble() - 0.7));
      }
      Step step = move(Pose.ORIGIN);
      searched += step.searched() ? 1 : 0;
      assertThat(step.replaced()).as("reading %d", i).isFalse();
    }
    assertThat(searched).isPositive();
  }

  /** Behind it nothing was ever seen, and so nothing contradicts a robot that drives through. */
  @ParameterizedTest(name = "{0} m before the door")
  @ValueSource(doubles = {0.6, 1, 1.5})
  void aRobotBeforeADoorThatOpensIsBelievedToStand(double metres) {
    Room open = room;
    double door = truth.x() + 10 * 0.5 + metres;
    room = with(room, new double[] {door, -1.15, door, 1.15});
    for (int i = 0; i < 10; i++) {
      move(ahead(0.5));
    }
    room = open;
    int searched = 0;
    for (int i = 0; i < 12; i++) {
      Step step = move(Pose.ORIGIN);
      searched += step.searched() ? 1 : 0;
      assertThat(step.replaced()).as("reading %d", i).isFalse();
    }
    assertThat(searched).isPositive();
  }
}
