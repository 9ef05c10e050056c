package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class FrozenOdometryDetectorTest extends RoomDrive {

  private static final Pose PLACE = new Pose(1, 2, 3);

  private final FrozenOdometryDetector frozenOdometryDetector = new FrozenOdometryDetector();

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
    frozenOdometryDetector.begin(reading(0, PLACE));
    truth = truth.then(ahead(metres));

    assertThat(isDisproved(reading(seconds, PLACE))).isEqualTo(disproved);
  }

  /** A hand's width a second; the first that is seen of it is compared with, not the last. */
  @Test
  void slowMotionAddsUp() {
    frozenOdometryDetector.begin(reading(0, PLACE));
    boolean disproved = false;
    for (int i = 1; i <= 6 && !disproved; i++) {
      truth = truth.then(ahead(0.08));
      disproved = isDisproved(reading(i, PLACE));
    }
    assertThat(disproved).isTrue();
  }

  @Test
  void whereOdometryMovesNothingIsDisproved() {
    frozenOdometryDetector.begin(reading(0, PLACE));
    for (int i = 1; i <= 5; i++) {
      truth = truth.then(ahead(0.5));
      Pose moved = new Pose(1 + 0.01 * i, 2, 3);
      assertThat(isDisproved(reading(i, moved))).isFalse();
    }
  }

  /** Whoever stands among people is not driven on and on. */
  @Test
  void forLongNothingIsDisproved() {
    frozenOdometryDetector.begin(reading(0, PLACE));
    truth = truth.then(ahead(0.5));
    List<Boolean> disproved = new ArrayList<>();
    for (int i = 1; i <= 12; i++) {
      disproved.add(isDisproved(reading(i, PLACE)));
      frozenOdometryDetector.begin(reading(i, PLACE)); // The robot is taken to have moved.
      truth = truth.then(ahead(0.5));
    }
    assertThat(disproved.subList(0, 10)).doesNotContain(false);
    assertThat(disproved.subList(10, 12)).doesNotContain(true);
  }

  static List<Room.Laser> anotherLaserTellsNothing() {
    Room.Laser before = Room.Laser.ahead(181);
    double step = before.angleStep();
    return List.of(
        Room.Laser.ahead(91),
        new Room.Laser(new Pose(0.2, 0, 0), before.startAngle(), step, 181),
        new Room.Laser(new Pose(0, 0, 0.3), before.startAngle(), step, 181),
        new Room.Laser(Pose.ORIGIN, before.startAngle() + 0.3, step, 181),
        new Room.Laser(Pose.ORIGIN, before.startAngle(), 0.9 * step, 181));
  }

  @ParameterizedTest
  @MethodSource
  void anotherLaserTellsNothing(Room.Laser other) {
    frozenOdometryDetector.begin(reading(0, PLACE));
    laser = other;
    truth = truth.then(ahead(0.5));

    assertThat(isDisproved(reading(1, PLACE))).isFalse();
  }

  /** A third of the beams come back from nowhere, others each time. */
  @Test
  void beamsThatAreLostAreNoMotion() {
    Random random = new Random(5);
    frozenOdometryDetector.begin(lost(reading(0, PLACE), random));
    for (int i = 1; i <= 10; i++) {
      assertThat(isDisproved(lost(reading(i, PLACE), random))).as("reading %d", i).isFalse();
    }
  }

  @ParameterizedTest(name = "noise of {0} m")
  @ValueSource(doubles = {0.01, 0.03, 0.1})
  void noiseIsNoMotion(double metres) {
    Random random = new Random(7);
    for (int i = 1; i <= 200; i++) {
      Pose place = new Pose(i, 2, 3); // Or it would have stood for too long.
      frozenOdometryDetector.begin(noisy(reading(2 * i, place), metres, random));
      Reading next = noisy(reading(2 * i + 1, place), metres, random);
      assertThat(isDisproved(next)).as("reading %d", i).isFalse();
    }
  }

  private boolean isDisproved(Reading reading) {
    frozenOdometryDetector.read(reading);
    return frozenOdometryDetector.isDisproved(reading);
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

  private static Reading lost(Reading reading, Random random) {
    Scan scan = reading.scan();
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      ranges[i] = random.nextInt(3) == 0 ? Float.POSITIVE_INFINITY : ranges[i];
    }
    return new Reading(reading.stampNanos(), reading.odometry(), scan.withRanges(ranges));
  }
}
