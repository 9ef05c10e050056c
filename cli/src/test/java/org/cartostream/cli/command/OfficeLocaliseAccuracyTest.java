package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.cartostream.cli.Cartostream;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The simulator's office, mapped whole: a robot is found in it, and after it was carried away. With
 * three seeds; {@code -Dcartostream.seeds=10} is what docs/measurements/localisation-found.csv has,
 * whose rows are printed.
 */
@Nightly(computes = true)
class OfficeLocaliseAccuracyTest {

  private static final int SEEDS = Integer.getInteger("cartostream.seeds", 3);

  /** One of ten may be missed. */
  private static final int MIN_FOUND = SEEDS - SEEDS / 10;

  /** A pose this near to the mapping run's is found, if it stays so. */
  private static final double FOUND_METRES = 0.5;

  private static final double FOUND_RADIANS = 0.25;
  private static final int FOUND_READINGS = 20;

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  @TempDir private static Path folder;
  private static ServerMap map;

  /** The mapping run's poses, by stamp. */
  private static final Map<Long, Pose> MAPPED = new HashMap<>();

  @BeforeAll
  static void mapTheOffice() throws IOException {
    OFFICE.write(folder, "office");
    Path out = folder.resolve("mapped");
    Object[] command = {"replay", folder.resolve("office.clf"), "--engine", "serial", "--out", out};
    assertThat(Cartostream.run(command).exitCode()).isZero();
    map = ServerMap.read(out.resolve("map.yaml"));
    for (StampedPose each : TumFile.read(out.resolve("trajectory.tum"))) {
      MAPPED.put(each.stampNanos(), each.pose());
    }
  }

  /** Where and when a robot is found, counted from a reading on; infinite if it is not. */
  private record Found(double metres, double seconds) {

    static final Found NEVER = new Found(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  }

  /**
   * @param from the first reading that counts
   */
  private static Found found(List<Reading> readings, int from, Optional<Pose> start, long seed) {
    MonteCarloLocalisation filter =
        new MonteCarloLocalisation(
            Settings.defaults(LocalisationSettings.class),
            Settings.build(FilterSettings.class, Map.of("seed", String.valueOf(seed))),
            "robot",
            map,
            start);
    double metres = 0;
    Pose before = null;
    int near = 0;
    Found since = Found.NEVER;
    for (int i = 0; i < readings.size(); i++) {
      long stamp = readings.get(i).stampNanos();
      MonteCarloLocalisation.Result result = filter.process(i + 1, readings.get(i));
      if (i < from) {
        continue;
      }
      Pose right = MAPPED.get(stamp);
      metres += before == null ? 0 : before.distance(right);
      before = right;
      if (!(result instanceof Localised localised) || !isNear(localised.pose().inMap(), right)) {
        near = 0;
      } else if (near++ == 0) {
        since = new Found(metres, (stamp - readings.get(from).stampNanos()) * 1e-9);
      }
      if (near == FOUND_READINGS) {
        return since;
      }
    }
    return Found.NEVER;
  }

  private static boolean isNear(Pose pose, Pose right) {
    return pose.distance(right) <= FOUND_METRES
        && Math.abs(Pose.wrap(pose.theta() - right.theta())) <= FOUND_RADIANS;
  }

  /** Each seed begins elsewhere on the way. */
  @Test
  void isFoundFromAnywhere() {
    List<Reading> readings = OFFICE.readings();
    int found = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      int from = (2 * seed - 1) * readings.size() / 25;
      Found way = found(readings.subList(from, readings.size()), 0, Optional.empty(), seed);
      System.out.printf(
          Locale.ROOT, "office,anywhere,%d,%d,%.1f,%.1f%n", from, seed, way.metres, way.seconds);
      found += way.metres <= 20 ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(MIN_FOUND);
  }

  @Test
  void isFoundAfterItWasCarriedFiveMetres() {
    int found = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      int last = 20 + 10 * seed;
      Pose from = OFFICE.reference().get(last).pose();
      int next = next(last + 1, pose -> pose.distance(from) >= 5);
      found += foundAfter("carried", last, next, seed).seconds <= 15 ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(MIN_FOUND);
  }

  @Test
  void isFoundAfterItWasCarriedIntoTheOtherRoom() {
    int entered = next(0, pose -> pose.x() < 6 && isInTheBlock(pose));
    int other = next(entered, pose -> pose.x() > 6 && isInTheBlock(pose));
    int found = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      found += foundAfter("room", entered + seed, other + seed, seed).seconds <= 15 ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(MIN_FOUND);
  }

  private static boolean isInTheBlock(Pose pose) {
    return pose.y() > 2.5 && pose.y() < 6.5 && pose.x() > 2 && pose.x() < 10;
  }

  private static int next(int from, Predicate<Pose> where) {
    int next = from;
    while (!where.test(OFFICE.reference().get(next).pose())) {
      next++;
    }
    return next;
  }

  /** What lies between two readings is cut out, and odometry goes on as if nothing had been. */
  private static Found foundAfter(String what, int last, int next, int seed) {
    List<Reading> all = OFFICE.readings();
    int first = Math.max(0, last - 60);
    List<Reading> readings = new ArrayList<>(all.subList(first, last + 1));
    Pose here = all.get(last).odometry();
    Pose there = all.get(next).odometry();
    for (Reading each : all.subList(next, Math.min(next + 90, all.size()))) {
      Pose odometry = here.then(there.to(each.odometry()));
      readings.add(new Reading(each.stampNanos(), odometry, each.scan()));
    }
    Pose start = MAPPED.get(readings.get(0).stampNanos());
    Found way = found(readings, last + 1 - first, Optional.of(start), seed);
    System.out.printf(
        Locale.ROOT,
        "office,%s,%d-%d,%d,%.1f,%.1f%n",
        what,
        last,
        next,
        seed,
        way.metres,
        way.seconds);
    return way;
  }
}
