package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Robots that were carried, and sessions that begin elsewhere, as one drive by the whole command:
 * how much of it is mapped, how well, and what is said.
 */
@Default(computes = true)
class CarriedRobotAccuracyTest {

  private static final long PERIOD_NANOS = 500_000_000L;

  /** So many readings behind the gap: 15 m. */
  private static final int BEHIND = 60;

  /** A wall this near to a cell that is a wall in the map, metres. */
  private static final double NEAR_METRES = 0.15;

  private static final World OFFICE = World.office();

  @TempDir private Path folder;

  // --- the commands ------------------------------------------------------------------------------

  private Cartostream replay(Object... words) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial"));
    all.addAll(List.of("--particles", 20, "--out", folder.resolve("out")));
    all.addAll(List.of(words));
    Cartostream run = Cartostream.run(all.toArray());
    assertThat(run.err()).doesNotContain("\tat ");
    return run;
  }

  private Cartostream replay(Recording recording) throws IOException {
    recording.write(folder, "log");
    return replay(folder.resolve("log.clf"), "--reference", folder.resolve("log.reference.tum"));
  }

  private JsonNode report() throws IOException {
    return RunReport.json().readTree(folder.resolve("out/report.json").toFile());
  }

  private int processed() throws IOException {
    return report().at("/readings/processed").asInt();
  }

  /** Share of the map's walls that are none. */
  private double falseShare(Recording recording) throws IOException {
    ServerMap map = ServerMap.read(folder.resolve("out/map.yaml"));
    Pose begin = recording.reference().get(0).pose();
    OccupancyGrid grid = map.grid();
    int walls = 0;
    int none = 0;
    for (int cell = 0; cell < grid.cells().length; cell++) {
      if (map.isOccupied(cell)) {
        double x = (cell % grid.width() + 0.5) * grid.resolution();
        double y = (cell / grid.width() + 0.5) * grid.resolution();
        walls++;
        none += toWall(begin.then(map.origin().then(new Pose(x, y, 0)))) > NEAR_METRES ? 1 : 0;
      }
    }
    return (double) none / walls;
  }

  private static double toWall(Pose point) {
    return OFFICE.walls().stream().mapToDouble(wall -> distance(wall, point)).min().orElseThrow();
  }

  private static double distance(World.Wall wall, Pose point) {
    double x = wall.toX() - wall.fromX();
    double y = wall.toY() - wall.fromY();
    double along =
        ((point.x() - wall.fromX()) * x + (point.y() - wall.fromY()) * y) / (x * x + y * y);
    double share = Math.max(0, Math.min(1, along));
    return Math.hypot(point.x() - wall.fromX() - share * x, point.y() - wall.fromY() - share * y);
  }

  // --- users' files ------------------------------------------------------------------------------

  @Test
  void aRobotThatWasLiftedIsFoundInItsMap() throws Exception {
    Path folder = TestFiles.usersFile("s08_lifted/in.mcap").getParent();
    Cartostream run = replay(folder.resolve("in.mcap"), "--reference", folder.resolve("truth.tum"));

    assertThat(run.out()).contains("note ").contains("from scan 70 on", "it was found in the map");
    assertThat(processed()).isEqualTo(168);
    assertThat(report().at("/accuracy/ateMetres").asDouble(9)).isLessThan(0.02);
  }

  @Test
  void aSecondSessionThatBeginsElsewhereIsMappedWithTheFirst() throws Exception {
    Path folder = TestFiles.usersFile("f12_two_sessions/morning.mcap").getParent();
    Cartostream run =
        replay(
            folder.resolve("morning.mcap"),
            folder.resolve("noon.mcap"),
            "--reference",
            folder.resolve("truth.tum"));

    assertThat(run.out()).contains("from scan 89 on", "it was found in the map");
    assertThat(processed()).isEqualTo(176);
    assertThat(report().at("/accuracy/ateMetres").asDouble(9)).isLessThan(0.02);
  }

  // --- the office --------------------------------------------------------------------------------

  static Recording drive(World world, int seed) {
    return SimulatedLog.of(world, Route.office(), SimulatedLog.SEED + seed);
  }

  /** Its beginning, and then readings of an earlier part of it, as odometry joins them. */
  private static Recording carried(Recording whole, int at, int to) {
    List<Reading> readings = new ArrayList<>(whole.readings().subList(0, at));
    List<StampedPose> reference = new ArrayList<>(whole.reference().subList(0, at));
    Pose before = readings.get(at - 1).odometry();
    Pose beside = whole.readings().get(to).odometry();
    for (int i = 0; i < BEHIND; i++) {
      long stamp = readings.get(at - 1).stampNanos() + (i + 1) * PERIOD_NANOS;
      Reading reading = whole.readings().get(to + i);
      Pose odometry = before.then(beside.to(reading.odometry()));
      readings.add(new Reading(stamp, odometry, reading.scan()));
      reference.add(new StampedPose(stamp, whole.reference().get(to + i).pose()));
    }
    return new Recording(readings, reference);
  }

  /** An earlier reading some 5 m from another. */
  private static int away(Recording whole, int from) {
    for (int i = 0; i < from - BEHIND; i++) {
      double metres = whole.reference().get(i).pose().distance(whole.reference().get(from).pose());
      if (metres > 4.5 && metres < 5.5) {
        return i;
      }
    }
    throw new AssertionError("the drive leads nowhere near " + from);
  }

  /**
   * Nine of ten are found within 15 m. The tenth is carried along a corridor to where it looks the
   * same, and so is taken to have stayed.
   */
  @Nightly
  @Test
  void aRobotThatIsCarriedInTheOfficeIsFoundInItsMap() throws Exception {
    int found = 0;
    for (int seed = 0; seed < 10; seed++) {
      Recording whole = drive(OFFICE, seed);
      int at = 180 + 10 * seed;
      Recording carried = carried(whole, at, away(whole, at));
      Cartostream run = replay(carried);
      double none = falseShare(carried);
      System.out.printf(
          "seed %d: %d of %d, ATE %s, false %.3f, %s%n",
          seed,
          processed(),
          carried.readings().size(),
          report().at("/accuracy/ateMetres"),
          none,
          report().at("/notices"));
      assertThat(run.exitCode()).isZero();
      boolean isFound = run.out().contains("it was found in the map");
      if (isFound) {
        assertThat(none).as("seed %d", seed).isLessThan(0.01);
        found++;
      }
    }
    assertThat(found).isGreaterThanOrEqualTo(9);
  }

  @ParameterizedTest
  @ValueSource(ints = 0)
  void odometryThatBeginsAnewInPlaceEndsNothing(int seed) throws Exception {
    Recording whole = drive(OFFICE, seed);
    int at = 150 + 10 * seed;
    List<Reading> readings = new ArrayList<>();
    Pose begin = whole.readings().get(at).odometry();
    for (Reading reading : whole.readings()) {
      boolean isAnew = readings.size() >= at;
      Pose odometry = isAnew ? begin.to(reading.odometry()) : reading.odometry();
      readings.add(new Reading(reading.stampNanos(), odometry, reading.scan()));
    }
    Recording anew = whole.with(readings);

    Cartostream run = replay(anew);

    System.out.println(
        "seed " + seed + " ATE " + report().at("/accuracy/ateMetres") + report().at("/notices"));
    assertThat(run.exitCode()).isZero();
    assertThat(processed()).isEqualTo(readings.size());
    assertThat(falseShare(anew)).isLessThan(0.02);
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void odometryThatBeginsAnewInPlaceEndsNothingElsewhere(int seed) throws Exception {
    odometryThatBeginsAnewInPlaceEndsNothing(seed);
  }
}
