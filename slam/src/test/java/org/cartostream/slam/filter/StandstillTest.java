package org.cartostream.slam.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoders that freeze where walls go alongside, and robots that stand there. */
class StandstillTest extends RoomDrive {

  private static final Pose PLACE = new Pose(1, 2, 3);

  private final Standstill standstill = new Standstill();

  @BeforeEach
  void oneReadingASecondInACorridorOfDoors() {
    periodNanos = 1_000_000_000;
    laser = Room.Laser.ahead(181);
    room = corridorOfDoors(1000, true);
    truth = new Pose(-30, 0.1, 0);
  }

  @ParameterizedTest(name = "{0} m in {1} s: {2}")
  @CsvSource({
    "0.5, 1, true",
    "0.3, 1, true",
    "0.02, 1, false",
    // Odometry is no more than late.
    "0.5, 0.2, false"
  })
  void aScanThatHasChangedDisprovesIt(double metres, double seconds, boolean disproved) {
    standstill.begin(reading(0, PLACE));
    truth = truth.then(ahead(metres));

    assertThat(standstill.isDisproved(reading(seconds, PLACE))).isEqualTo(disproved);
  }

  /** A hand's width a second; the first that is seen of it is compared with, not the last. */
  @Test
  void slowMotionAddsUp() {
    standstill.begin(reading(0, PLACE));
    boolean disproved = false;
    for (int i = 1; i <= 6 && !disproved; i++) {
      truth = truth.then(ahead(0.08));
      disproved = standstill.isDisproved(reading(i, PLACE));
    }
    assertThat(disproved).isTrue();
  }

  @Test
  void whereOdometryMovesNothingIsDisproved() {
    standstill.begin(reading(0, PLACE));
    for (int i = 1; i <= 5; i++) {
      truth = truth.then(ahead(0.5));
      Pose moved = new Pose(1 + 0.01 * i, 2, 3);
      assertThat(standstill.isDisproved(reading(i, moved))).isFalse();
    }
  }

  @Test
  void aLaserThatIsSetOtherwiseTellsNothing() {
    standstill.begin(reading(0, PLACE));
    laser = Room.Laser.ahead(91);
    truth = truth.then(ahead(0.5));

    assertThat(standstill.isDisproved(reading(1, PLACE))).isFalse();
  }

  @ParameterizedTest(name = "noise of {0} m")
  @ValueSource(doubles = {0.01, 0.03, 0.1})
  void noiseIsNoMotion(double metres) {
    Random random = new Random(7);
    standstill.begin(noisy(reading(0, PLACE), metres, random));
    for (int i = 1; i <= 200; i++) {
      Reading reading = noisy(reading(i, PLACE), metres, random);
      assertThat(standstill.isDisproved(reading)).as("reading %d", i).isFalse();
    }
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
    for (int i = 0; i < 30; i++) {
      room = corridorOfDoors(truth.x() + 0.5 + 2 * random.nextDouble(), random.nextBoolean());
      assertThat(move(Pose.ORIGIN).replaced()).as("reading %d", i).isFalse();
    }
  }

  private Reading reading(double seconds, Pose odometry) {
    return new Reading((long) (seconds * 1e9), odometry, room.scan(truth, laser));
  }

  private static Reading noisy(Reading reading, double metres, Random random) {
    Scan scan = reading.scan();
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] += (float) (metres * random.nextGaussian());
    }
    return new Reading(reading.stampNanos(), reading.odometry(), scan.withRanges(ranges));
  }
}
