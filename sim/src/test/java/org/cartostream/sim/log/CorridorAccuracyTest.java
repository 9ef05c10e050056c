package org.cartostream.sim.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cartostream.settings.Settings;
import org.cartostream.sim.world.Lidar;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A robot that drives straight on through a corridor of parallel walls keeps its heading on the
 * way. Its laser sees 8 m of them, and its wheels err by 2 % of each step, each for itself.
 */
@Default(computes = true)
class CorridorAccuracyTest {

  private static final double WIDTH = 2;
  private static final double BEYOND = 5;
  private static final double DOOR = 0.9;

  /** No multiple of a cell: else each scan would meet the map at the same places within a cell. */
  private static final double STEP = 0.23;

  private static final double WHEEL_NOISE = 0.02;
  private static final double TRACK = 0.4;
  private static final int[] WAYS = {50, 100, 200};

  @Test
  void headingIsKeptOverFiftyMetres() {
    long[] good = good(50, true, 30, 3);
    assertThat(good[0]).isEqualTo(3);
  }

  @Nightly(computes = true)
  @ParameterizedTest(name = "doors: {0}, seeds: {1} of 10")
  @CsvSource({"false, 9", "true, 8"})
  void headingIsKeptOverTwoHundredMetresInMostSeeds(boolean doors, long most) {
    assertThat(LongStream.of(good(200, doors, 60, 10))).allMatch(count -> count >= most);
  }

  /** Returns in how many seeds the heading is off by 1 degree at most, after each way. */
  private static long[] good(int metres, boolean doors, int particles, int seeds) {
    List<double[]> errors =
        LongStream.rangeClosed(1, seeds)
            .mapToObj(seed -> errors(metres, doors, particles, seed))
            .toList();
    long[] good = new long[errors.get(0).length];
    for (int way = 0; way < good.length; way++) {
      int at = way;
      System.out.printf(
          "%d m, doors %s, %d particles: degrees off by seed %s%n",
          WAYS[way], doors, particles, errors.stream().map(each -> each[at]).toList());
      good[way] = errors.stream().filter(each -> Math.abs(each[at]) <= 1).count();
    }
    return good;
  }

  /** Errors of the heading as it is told after each way, degrees. */
  private static double[] errors(int metres, boolean doors, int particles, long seed) {
    Lidar usual = Lidar.usual();
    Route route = new Route(Pose.ORIGIN, List.of(new Route.Stop(metres, 0, false)));
    SimulatedLog.Steps steps = new SimulatedLog.Steps(STEP, 1);
    Recording drive = SimulatedLog.of(corridor(metres, doors, seed), route, seed, usual, steps);
    FilterSettings settings =
        Settings.build(
            FilterSettings.class, Map.of("particles", "" + particles, "seed", "" + seed));
    SerialFilter filter = new SerialFilter(settings, "corridor");
    Random random = new Random(seed);
    Pose odometry = Pose.ORIGIN;
    double[] errors = new double[(int) IntStream.of(WAYS).filter(way -> way <= metres).count()];
    int passed = 0;
    for (int i = 0; i < drive.readings().size(); i++) {
      Pose truth = drive.reference().get(i).pose();
      if (i > 0) {
        odometry = odometry.then(byWheels(drive.reference().get(i - 1).pose().to(truth), random));
      }
      Reading reading = drive.readings().get(i);
      filter.process(i + 1, new Reading(reading.stampNanos(), odometry, reading.scan()));
      if (truth.x() >= WAYS[passed] - STEP / 2) {
        double told = filter.trajectoryTree().currentPose().theta();
        errors[passed++] = Math.toDegrees(Pose.wrap(told - truth.theta()));
        if (passed == errors.length) {
          break;
        }
      }
    }
    return errors;
  }

  private static Pose byWheels(Pose straight, Random random) {
    double left = straight.x() * (1 + WHEEL_NOISE * random.nextGaussian());
    double right = straight.x() * (1 + WHEEL_NOISE * random.nextGaussian());
    Pose half = new Pose(0, 0, (right - left) / TRACK / 2);
    return half.then(new Pose((left + right) / 2, 0, 0)).then(half);
  }

  /** Doors are in both walls, shut in a frame or, one in three, open into a room. */
  private static World corridor(double length, boolean doors, long seed) {
    Random random = new Random(seed);
    double end = length + BEYOND;
    List<World.Wall> walls = new ArrayList<>();
    walls.add(new World.Wall(-BEYOND, -WIDTH / 2, -BEYOND, WIDTH / 2));
    walls.add(new World.Wall(end, -WIDTH / 2, end, WIDTH / 2));
    for (int side = -1; side <= 1; side += 2) {
      double y = side * WIDTH / 2;
      double x = -BEYOND;
      double next = x + 2 + 5 * random.nextDouble();
      for (; doors && next + DOOR < end; next = x + 2 + 5 * random.nextDouble()) {
        double inside = y + side * (random.nextInt(3) == 0 ? 3 : 0.15);
        walls.add(new World.Wall(x, y, next, y));
        walls.add(new World.Wall(next, y, next, inside));
        walls.add(new World.Wall(next, inside, next + DOOR, inside));
        walls.add(new World.Wall(next + DOOR, inside, next + DOOR, y));
        x = next + DOOR;
      }
      walls.add(new World.Wall(x, y, end, y));
    }
    return new World(walls);
  }
}
