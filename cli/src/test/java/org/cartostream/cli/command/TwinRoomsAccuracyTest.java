package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.cli.Cartostream;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.sim.world.World.Wall;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality.State;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two rooms that are alike but for a shelf behind a partition: the robot is in either until it has
 * looked there, and then in the right one. Two seeds of map and drive; {@code
 * -Dcartostream.seeds=10} is what docs/measurements/localisation-twins.csv has, whose rows are
 * printed.
 */
@Nightly(computes = true)
class TwinRoomsAccuracyTest {

  private static final int SEEDS = Integer.getInteger("cartostream.seeds", 2);

  /** Readings until the particles that were drawn all over have gathered: two metres or so. */
  private static final int SETTLED = 20;

  /** From one room to the other; no multiple of a cell. */
  private static final double APART = 6.53;

  /** The robot drives this often around before it looks behind the partition. */
  private static final int ROUNDS = 3;

  private static final Pose START = new Pose(1.2, 1, 0);

  @TempDir private Path folder;

  /** Both rooms open to a corridor, from behind the partition. Of it the same is seen from both. */
  private static World world() {
    List<Wall> walls = new ArrayList<>();
    for (double left : new double[] {0, APART}) {
      double[][] room = {
        {0, 5, 0, 0},
        {0, 0, 6, 0},
        {6, 0, 6, 5},
        {0, 5, 4.4, 5},
        {5.5, 5, 6, 5},
        {0, 4, 0.8, 4},
        {0.8, 4, 0.8, 5}, // A cupboard.
        {2, 0, 2, 0.4},
        {2, 0.4, 2.4, 0.4},
        {2.4, 0.4, 2.4, 0}, // A pillar.
        {4, 0, 4, 3.2} // The partition.
      };
      for (double[] wall : room) {
        walls.add(new Wall(left + wall[0], wall[1], left + wall[2], wall[3]));
      }
    }
    walls.add(new Wall(4.8, 1.5, 6, 1.5)); // The shelf, which the room on the right lacks.
    walls.add(new Wall(6, 5, APART, 5));
    walls.add(new Wall(-5, 5, 0, 5));
    walls.add(new Wall(APART + 6, 5, 20, 5));
    walls.add(new Wall(-5, 7, 20, 7));
    walls.add(new Wall(-5, 5, -5, 7));
    walls.add(new Wall(20, 5, 20, 7));
    return new World(walls);
  }

  private static Route.Stop stop(double x, double y) {
    return new Route.Stop(x, y, false);
  }

  private static List<Route.Stop> around(double left) {
    return List.of(
        stop(left + 3, 1), stop(left + 3, 2.6), stop(left + 1.2, 2.6), stop(left + 1.2, 1));
  }

  private static List<Route.Stop> behindThePartition(double left) {
    return List.of(
        stop(left + 1.2, 2.6), stop(left + 3, 4), stop(left + 5, 4), stop(left + 5, 2.5));
  }

  private ServerMap mapOfBothRooms(long seed) throws IOException {
    List<Route.Stop> stops = new ArrayList<>(around(0));
    stops.addAll(behindThePartition(0));
    stops.addAll(List.of(stop(5, 6), stop(5 + APART, 6), stop(5 + APART, 2)));
    stops.addAll(List.of(stop(5 + APART, 4), stop(3 + APART, 4)));
    stops.addAll(around(APART));
    stops.addAll(behindThePartition(APART));
    Recording recording = SimulatedLog.of(world(), new Route(START, stops), seed);
    recording.write(folder, "twins" + seed);
    Path log = folder.resolve("twins" + seed + ".clf");
    Path out = folder.resolve("mapped" + seed);
    Object[] command = {"replay", log, "--engine", "serial", "--out", out};
    assertThat(Cartostream.run(command).exitCode()).isZero();
    return ServerMap.read(out.resolve("map.yaml"));
  }

  @ParameterizedTest(name = "in the room at {0} m")
  @ValueSource(doubles = {0, APART})
  void itIsInEitherRoomUntilItHasLookedBehindThePartition(double left) throws IOException {
    List<Route.Stop> stops = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      stops.addAll(around(left));
    }
    Pose start = new Pose(left + START.x(), START.y(), START.theta());
    int alike = SimulatedLog.of(world(), new Route(start, stops), 1).readings().size();
    stops.addAll(behindThePartition(left));
    for (int seed = 1; seed <= SEEDS; seed++) {
      Recording drive = SimulatedLog.of(world(), new Route(start, stops), seed);
      MonteCarloLocalisation filter =
          new MonteCarloLocalisation(
              Settings.defaults(LocalisationSettings.class),
              Settings.build(FilterSettings.class, Map.of("seed", String.valueOf(seed))),
              "robot",
              mapOfBothRooms(seed),
              Optional.empty());
      List<Localised> results = new ArrayList<>();
      for (int i = 0; i < drive.readings().size(); i++) {
        results.add((Localised) filter.process(i + 1, drive.readings().get(i)));
      }
      long ambiguous =
          results.subList(SETTLED, alike).stream()
              .filter(each -> each.pose().quality().state() == State.AMBIGUOUS)
              .count();
      Localised last = results.get(results.size() - 1);
      Pose truth = START.to(drive.reference().get(results.size() - 1).pose());
      double metres = last.pose().inMap().distance(truth);
      System.out.printf(
          Locale.ROOT,
          "twins,%.2f,%d,%d,%d,%.2f,%s%n",
          left,
          seed,
          ambiguous,
          alike - SETTLED,
          metres,
          last.pose().quality().state());
      assertThat(ambiguous).as("seed %d", seed).isEqualTo(alike - SETTLED);
      assertThat(metres).as("seed %d", seed).isLessThan(0.5);
      assertThat(last.pose().quality().state()).as("seed %d", seed).isEqualTo(State.OK);
    }
  }
}
