package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.cli.Cartostream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.localisation.MonteCarloLocalisation.Result.Localised;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real logs that are mapped whole, and localised in that map, whose robot is carried away: readings
 * are cut out, and odometry is joined so that it shows no movement. Prints the rows of
 * docs/measurements/localisation-kidnapped.csv, which has ten seeds: {@code
 * -Dcartostream.seeds=10}.
 */
@Nightly(computes = true)
class KidnappedAccuracyTest {

  private static final int SEEDS = Integer.getInteger("cartostream.seeds", 2);

  /** Along the drive, from which it is carried away: one for each of ten seeds. */
  private static final int PLACES = 10;

  /** So many readings before it is carried away, and so many behind. */
  private static final int BEFORE = 40;

  private static final int BEHIND = 150;

  /** A pose this near to the mapping run's is found, if it stays so. */
  private static final double FOUND_METRES = 0.5;

  private static final double FOUND_RADIANS = 0.25;
  private static final int FOUND_READINGS = 20;

  /** As from anywhere. The logs have a reading each three seconds, so seconds say little. */
  private static final double MAX_METRES = 20;

  @TempDir private static Path maps;

  /** A log, and where the mapping run was when it took its readings, by stamp. */
  private record Mapped(List<Reading> readings, ServerMap map, Map<Long, Pose> poses) {

    Pose at(int reading) {
      return poses.get(readings.get(reading).stampNanos());
    }
  }

  private static Mapped mapped(String log) throws IOException {
    Path file = TestFiles.publicLog(log + ".clf");
    Path out = maps.resolve(log);
    if (!Files.exists(out)) {
      assertThat(Cartostream.run("replay", file, "--engine", "serial", "--out", out).exitCode())
          .isZero();
    }
    Map<Long, Pose> poses = new HashMap<>();
    TumFile.read(out.resolve("trajectory.tum"))
        .forEach(each -> poses.put(each.stampNanos(), each.pose()));
    List<Reading> readings = new ArrayList<>();
    try (LaserLog all = CarmenLog.open(file, CarmenSettings.defaults())) {
      all.readings(Integer.MAX_VALUE).stream()
          .filter(each -> poses.containsKey(each.stampNanos()))
          .forEach(readings::add);
    }
    return new Mapped(readings, ServerMap.read(out.resolve("map.yaml")), poses);
  }

  /**
   * Each seed is carried away elsewhere on the way.
   *
   * @param carried by how many metres at least
   */
  @ParameterizedTest
  @CsvSource({"intel, 5", "intel, 15", "aces, 5", "aces, 15"})
  void isFoundAfterItWasCarried(String log, double carried) throws IOException {
    isFound(log, log + "," + carried, carried, false);
  }

  /** A wall stands between where it was and where it is put down, five metres away at least. */
  @ParameterizedTest
  @CsvSource({"intel"})
  void isFoundInAnotherRoom(String log) throws IOException {
    isFound(log, log + ",room", 5, true);
  }

  private static void isFound(String log, String what, double carried, boolean isBehindAWall)
      throws IOException {
    Mapped mapped = mapped(log);
    int found = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      int last = BEFORE + (seed - 1) * (mapped.readings().size() - 2 * BEHIND) / PLACES;
      int next = last + 1;
      while (mapped.at(next).distance(mapped.at(last)) < carried
          || isBehindAWall && !isWallBetween(mapped.map(), mapped.at(last), mapped.at(next))) {
        next++;
      }
      double metres = foundAfter(mapped, what, last, next, seed);
      found += metres >= 0 && metres <= MAX_METRES ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(SEEDS - SEEDS / 10);
  }

  /** Looks at each half of a cell on the straight line. */
  private static boolean isWallBetween(ServerMap map, Pose one, Pose other) {
    int steps = (int) Math.ceil(2 * one.distance(other) / map.grid().resolution());
    for (int i = 1; i < steps; i++) {
      double part = i / (double) steps;
      double x = one.x() + part * (other.x() - one.x());
      double y = one.y() + part * (other.y() - one.y());
      if (map.isOccupied(map.cellOf(new Pose(x, y, 0)))) {
        return true;
      }
    }
    return false;
  }

  /** The way until it is found, metres; -1 if it is not. */
  private static double foundAfter(Mapped mapped, String what, int last, int next, int seed) {
    List<Reading> all = mapped.readings();
    List<Reading> readings = new ArrayList<>(all.subList(last + 1 - BEFORE, last + 1));
    Pose here = all.get(last).odometry();
    Pose there = all.get(next).odometry();
    for (Reading each : all.subList(next, Math.min(next + BEHIND, all.size()))) {
      Pose odometry = here.then(there.to(each.odometry()));
      readings.add(new Reading(each.stampNanos(), odometry, each.scan()));
    }
    MonteCarloLocalisation filter =
        new MonteCarloLocalisation(
            Settings.defaults(LocalisationSettings.class),
            Settings.build(FilterSettings.class, Map.of("seed", String.valueOf(seed))),
            "robot",
            mapped.map(),
            Optional.of(mapped.at(last + 1 - BEFORE)));
    double metres = 0;
    double sigmaFoundMetres = -1;
    double foundSeconds = -1;
    int near = 0;
    for (int i = 0; i < readings.size() && near < FOUND_READINGS; i++) {
      MonteCarloLocalisation.Result result = filter.process(i + 1, readings.get(i));
      if (i < BEFORE) {
        continue;
      }
      Pose right = mapped.poses().get(readings.get(i).stampNanos());
      metres +=
          i == BEFORE ? 0 : right.distance(mapped.poses().get(readings.get(i - 1).stampNanos()));
      boolean isNear = result instanceof Localised found && isNear(found.pose().inMap(), right);
      if (isNear && near == 0) {
        sigmaFoundMetres = metres;
        foundSeconds = (readings.get(i).stampNanos() - readings.get(BEFORE).stampNanos()) * 1e-9;
      }
      near = isNear ? near + 1 : 0;
    }
    boolean isFound = near == FOUND_READINGS;
    System.out.printf(
        Locale.ROOT,
        "%s,%d-%d,%d,%.1f,%.1f%n",
        what,
        last,
        next,
        seed,
        isFound ? sigmaFoundMetres : -1,
        isFound ? foundSeconds : -1);
    return isFound ? sigmaFoundMetres : -1;
  }

  private static boolean isNear(Pose pose, Pose right) {
    return pose.distance(right) <= FOUND_METRES
        && Math.abs(Pose.wrap(pose.theta() - right.theta())) <= FOUND_RADIANS;
  }
}
