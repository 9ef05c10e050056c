package org.cartostream.slam.odometry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.FilterSettings;

/** A robot drives in a small room; its odometry frame is turned against the room's. */
abstract class RoomDrive {

  static final double FOUND_METRES = 0.05;
  static final double FOUND_RADIANS = 0.03;

  Room room = Room.askew();
  final ReadingFilter readingFilter = new ReadingFilter(Settings.defaults(FilterSettings.class));
  Room.Laser laser = Room.Laser.FULL_TURN;
  Pose truth = new Pose(-0.7, -0.6, 0.4);
  Pose odometry = new Pose(20, -3, 2);
  long sequence;
  long stamp;
  long periodNanos = 100_000_000;

  /** Truth at the last key frame. */
  Pose keyFrame;

  static Pose ahead(double metres) {
    return new Pose(metres, 0, 0);
  }

  /** The robot moves, and odometry says that it moved; then it takes a reading. */
  Step move(Pose moved, Pose says) {
    truth = truth.then(moved);
    odometry = odometry.then(says);
    return read(room.scan(truth, laser));
  }

  Step move(Pose moved) {
    return move(moved, moved);
  }

  Step read(Scan scan) {
    stamp += periodNanos;
    ReadingFilter.Decision decision =
        readingFilter.decide(++sequence, new Reading(stamp, odometry, scan));
    Step step = ((ReadingFilter.Decision.Accept) decision).step();
    if (step.keyFrame()) {
      keyFrame = truth;
    }
    return step;
  }

  /** Some key frames on a slight curve, so that the surroundings are known. */
  void lookAround() {
    for (int i = 0; i < 10; i++) {
      assertThat(move(new Pose(0.05, 0, 0.03)).replaced()).isFalse();
    }
  }

  static void assertMotion(Step step, Pose moved) {
    assertThat(step.searched()).isTrue();
    assertReplaced(step, moved);
  }

  static void assertReplaced(Step step, Pose moved) {
    assertThat(step.keyFrame()).isTrue();
    assertThat(step.replaced()).isTrue();
    assertThat(step.motion().distance(moved)).isLessThan(FOUND_METRES);
    assertThat(step.motion().theta()).isCloseTo(moved.theta(), within(FOUND_RADIANS));
  }

  /** Two metres wide, a door in every 1.3 m of its walls, and someone who walks there. */
  static Room corridorOfDoors(double personX, boolean left) {
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
    Room empty = new Room(walls.toArray(new double[0][]));
    return with(empty, person(personX, left ? 0.5 : -0.7));
  }

  /** Walls of somebody who stands there. */
  static double[][] person(double x, double y) {
    return new double[][] {
      {x, y, x, y + 0.3}, {x, y, x + 0.3, y + 0.15}, {x, y + 0.3, x + 0.3, y + 0.15}
    };
  }

  static Room with(Room room, double[]... walls) {
    return new Room(
        Stream.concat(Stream.of(room.walls()), Stream.of(walls)).toArray(double[][]::new));
  }

  /** The same of a laser that sees 4 m. */
  static Scan shortSighted(Scan scan) {
    return shortSighted(scan, 4);
  }

  static Scan shortSighted(Scan scan, double range) {
    return new Scan(
        scan.mount(), scan.startAngle(), scan.angleStep(), scan.minRange(), range, scan.ranges());
  }
}
