package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.cartostream.cli.Cartostream;
import org.cartostream.ros.bag.McapWriter;
import org.cartostream.ros.local.FakeNode;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.ros.RosRobot;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Drives through the simulated office, as MCAP files, by a laser some of whose beams end elsewhere
 * than at walls, or are elsewhere than the scan says: how much of what lies outside is free in the
 * map, or a wall, and how much of the walls is there.
 */
@Nightly(computes = true)
class UnusualLaserAccuracyTest {

  /**
   * A cell this far outside the outer walls is outside, metres: a map may be turned by a degree
   * about where the robot began.
   */
  private static final double OUTSIDE_METRES = 0.25;

  private static final int BLIND_SCANS = 10;

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  @TempDir private Path folder;

  /** Why a beam has no echo, and so is +Infinity. */
  enum NoEcho {
    NONE,
    /** Much of the outer walls is of glass, which is met nearly at right angles only. */
    GLASS,
    /** The outer walls are black: they are met from nearby only. */
    BLACK,
    /** The laser has no echo at all while it starts. */
    BLIND_START,
    /** Nor behind the first scan. */
    BLINDED;

    boolean isOf(int reading, double x, double y, double range, double angle) {
      boolean isUpper = y > 8.95;
      boolean isLower = Math.abs(y) < 0.05;
      return switch (this) {
        case NONE -> false;
        case GLASS ->
            (isUpper && x > 2 && x < 10 || isLower && x > 2 && x < 7)
                && Math.abs(Math.sin(angle)) < Math.cos(Math.toRadians(15));
        case BLACK -> (isUpper || isLower || x < 0.05 || x > 11.95) && range > 1.5;
        case BLIND_START -> reading < BLIND_SCANS;
        case BLINDED -> reading > 0 && reading <= BLIND_SCANS;
      };
    }
  }

  /**
   * What the map has.
   *
   * @param walls number of occupied cells
   * @param wallsOutside number of those outside the outer walls
   * @param freeOutside area of the free cells outside the outer walls, m²
   */
  private record Mapped(int walls, int wallsOutside, double freeOutside) {}

  private static Reading seen(NoEcho noEcho, int reading) {
    Reading whole = OFFICE.readings().get(reading);
    Scan scan = whole.scan();
    Pose laser = OFFICE.reference().get(reading).pose().then(scan.mount());
    float[] ranges = scan.ranges().clone();
    for (int i = 0; i < ranges.length; i++) {
      double angle = laser.theta() + scan.startAngle() + i * scan.angleStep();
      double x = laser.x() + ranges[i] * Math.cos(angle);
      double y = laser.y() + ranges[i] * Math.sin(angle);
      if (noEcho.isOf(reading, x, y, ranges[i], angle)) {
        ranges[i] = Float.POSITIVE_INFINITY;
      }
    }
    return new Reading(whole.stampNanos(), whole.odometry(), scan.withRanges(ranges));
  }

  private Mapped mapped(String name, List<Reading> readings) throws IOException {
    Path file = folder.resolve(name + ".mcap");
    write(file, readings);
    Path out = folder.resolve(name);
    Cartostream run =
        Cartostream.run("replay", "--engine", "serial", file, "--particles", 20, "--out", out);
    assertThat(run.err()).doesNotContain("\tat ");
    assertThat(run.exitCode()).as(run.err()).isZero();
    // A map begins where the first scan was taken that is not refused.
    long first = TumFile.read(out.resolve("trajectory.tum")).get(0).stampNanos();
    StampedPose begin =
        OFFICE.reference().stream()
            .filter(pose -> Math.abs(pose.stampNanos() - first) < 1_000_000)
            .findFirst()
            .orElseThrow();
    return measured(ServerMap.read(out.resolve("map.yaml")), begin.pose());
  }

  private static Mapped measured(ServerMap map, Pose begin) {
    OccupancyGrid grid = map.grid();
    int walls = 0;
    int wallsOutside = 0;
    int freeOutside = 0;
    for (int cell = 0; cell < grid.cells().length; cell++) {
      double x = (cell % grid.width() + 0.5) * grid.resolution();
      double y = (cell / grid.width() + 0.5) * grid.resolution();
      boolean isOutside = isOutside(begin.then(map.origin().then(new Pose(x, y, 0))));
      walls += map.isOccupied(cell) ? 1 : 0;
      wallsOutside += map.isOccupied(cell) && isOutside ? 1 : 0;
      freeOutside += map.isFree(cell) && isOutside ? 1 : 0;
    }
    return new Mapped(walls, wallsOutside, freeOutside * grid.resolution() * grid.resolution());
  }

  /** The office is a rectangle with a niche in its lower wall. */
  private static boolean isOutside(Pose point) {
    double out = OUTSIDE_METRES;
    boolean isIn = point.x() > -out && point.x() < 12 + out && point.y() > -out;
    boolean isInNiche = point.x() > 7.5 - out && point.x() < 9 + out && point.y() > -0.8 - out;
    return !(isIn || isInNiche) || point.y() > 9 + out;
  }

  /** As a robot's topics are recorded. */
  private static void write(Path file, List<Reading> readings) throws IOException {
    FakeNode graph = new FakeNode(Map.of(), Map.of());
    RosRobot robot = new RosRobot(graph);
    robot.publishLaserMount(readings.get(0).scan().mount());
    for (Reading each : readings) {
      robot.publishOdometry(each.stampNanos(), each.odometry());
      robot.publishScan(each.stampNanos(), each.scan());
    }
    try (McapWriter out = McapWriter.create(file, "test")) {
      write(out, graph, "/tf_static", TfMessage.TYPE, TfMessage.class, readings.subList(0, 1));
      write(out, graph, "/tf", TfMessage.TYPE, TfMessage.class, readings);
      write(out, graph, "/scan", LaserScan.TYPE, LaserScan.class, readings);
    }
  }

  private static <M extends Record> void write(
      McapWriter out,
      FakeNode graph,
      String topic,
      MessageType<M> type,
      Class<M> mirror,
      List<Reading> readings)
      throws IOException {
    McapWriter.Channel channel = out.topic(topic, type, TopicQos.RELIABLE);
    for (int i = 0; i < readings.size(); i++) {
      M message = mirror.cast(graph.published(topic).get(i));
      out.write(channel, readings.get(i).stampNanos(), type.encodeCdr(message));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whereBeamsHaveNoEchoWallsStayAndOutsideIsUnknown(NoEcho noEcho) throws IOException {
    List<Reading> plain = new ArrayList<>();
    List<Reading> seen = new ArrayList<>();
    for (int i = 0; i < OFFICE.readings().size(); i++) {
      plain.add(seen(NoEcho.NONE, i));
      seen.add(seen(noEcho, i));
    }
    Mapped all = mapped("plain", plain);
    Mapped mapped = mapped("seen", seen);
    System.out.println(noEcho + ": " + mapped + ", else " + all);
    assertThat(mapped.walls).isGreaterThan((int) (0.9 * all.walls));
    assertThat(mapped.wallsOutside).isZero();
    assertThat(mapped.freeOutside).isLessThan(1);
  }

  /** Spread over the whole field of view, as drivers do when a laser starts or data are lost. */
  private static Reading cut(Reading whole, double share) {
    Scan scan = whole.scan();
    int beams = (int) (share * scan.beams());
    double step = scan.angleStep() * (scan.beams() - 1) / (beams - 1);
    float[] ranges = Arrays.copyOf(scan.ranges(), beams);
    Scan cut =
        new Scan(scan.mount(), scan.startAngle(), step, scan.minRange(), scan.maxRange(), ranges);
    return new Reading(whole.stampNanos(), whole.odometry(), cut);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void scansThatLackBeamsPutNothingOutsideTheWalls(long seed) throws IOException {
    Random random = new Random(seed);
    List<Reading> readings = new ArrayList<>();
    for (Reading each : OFFICE.readings()) {
      double share = 0.5 + 0.45 * random.nextDouble();
      readings.add(random.nextInt(5) == 0 ? cut(each, share) : each);
    }
    Mapped mapped = mapped("cut", readings);
    System.out.println("seed " + seed + ": " + mapped);
    assertThat(mapped.wallsOutside).isZero();
    assertThat(mapped.freeOutside).isLessThan(0.1);
  }
}
