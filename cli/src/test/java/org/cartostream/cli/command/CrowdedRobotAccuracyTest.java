package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.world.World;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people do around a robot, and what they move, ends no map. */
@Default(computes = true)
class CrowdedRobotAccuracyTest {

  private static final World OFFICE = World.office();

  @TempDir private Path folder;

  /** Beams that end in people, of a third of each scan. */
  private static Reading crowded(Reading reading, Random random) {
    Scan scan = reading.scan();
    float[] ranges = scan.ranges().clone();
    int hidden = 0;
    while (3 * hidden < ranges.length) {
      int first = random.nextInt(ranges.length);
      float share = 0.2f + 0.7f * random.nextFloat();
      for (int i = first; i < Math.min(ranges.length, first + ranges.length / 30); i++) {
        hidden += ranges[i] == scan.ranges()[i] ? 1 : 0;
        ranges[i] = scan.ranges()[i] * share;
      }
    }
    Scan seen = scan.withRanges(ranges);
    return new Reading(reading.stampNanos(), reading.odometry(), seen);
  }

  @ParameterizedTest
  @ValueSource(ints = 0)
  void whatPeopleDoAroundItEndsNoMap(int seed) throws Exception {
    assertNoMapEnds(folder, seed);
  }

  static void assertNoMapEnds(Path folder, int seed) throws Exception {
    Random random = new Random(seed);
    Recording before = CarriedRobotAccuracyTest.drive(OFFICE, seed);
    List<World.Wall> moved =
        Stream.concat(
                OFFICE.walls().stream(),
                Stream.of(
                    new World.Wall(3.2, 2, 4.4, 2), // The left room's door is shut.
                    new World.Wall(10.6, 3, 11.2, 3.4),
                    new World.Wall(4, 8.4, 4.8, 8.6),
                    new World.Wall(0.5, 6, 0.5, 7)))
            .toList();
    Recording after = CarriedRobotAccuracyTest.drive(new World(moved), seed);
    int at = 60 + 8 * seed;
    List<Reading> furniture = new ArrayList<>(before.readings().subList(0, at));
    furniture.addAll(after.readings().subList(at, after.readings().size()));
    List<Reading> people = new ArrayList<>();
    for (Reading reading : before.readings()) {
      people.add(people.size() < at ? reading : crowded(reading, random));
    }

    for (List<Reading> readings : List.of(furniture, people)) {
      before.with(readings).write(folder, "log");
      Cartostream run =
          Cartostream.run(
              "replay",
              folder.resolve("log.clf"),
              "--reference",
              folder.resolve("log.reference.tum"),
              "--engine",
              "serial",
              "--particles",
              20,
              "--out",
              folder.resolve("out"));

      JsonNode report = RunReport.json().readTree(folder.resolve("out/report.json").toFile());
      System.out.println(
          "seed " + seed + " ATE " + report.at("/accuracy/ateMetres") + report.at("/notices"));
      assertThat(run.exitCode()).isZero();
      assertThat(run.out()).doesNotContain("does not stand where odometry says");
      assertThat(report.at("/readings/processed").asInt()).isEqualTo(readings.size());
    }
  }

  @Nightly
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void whatPeopleDoAroundItEndsNoMapElsewhere(int seed) throws Exception {
    whatPeopleDoAroundItEndsNoMap(seed);
  }
}
