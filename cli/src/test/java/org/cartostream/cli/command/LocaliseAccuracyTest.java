package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;
import org.cartostream.testing.Nightly;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Real logs that are mapped whole, and localised in that map. Prints the rows of
 * docs/measurements/localisation.csv.
 */
@Nightly(computes = true)
class LocaliseAccuracyTest {

  /** A pose this near to the mapping run's is found. */
  private static final double FOUND_METRES = 0.5;

  private static final double FOUND_RADIANS = 0.25;
  private static final int FOUND_READINGS = 20;

  @TempDir private static Path maps;
  @TempDir private Path folder;

  private static List<String> scans(String log) throws IOException {
    Path file = TestFiles.publicLog(log + ".clf");
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith("FLASER") || line.startsWith("ROBOTLASER1"))
        .toList();
  }

  /** The folder of a log's map, which is made once. */
  private static Path mapped(String log) throws IOException {
    scans(log);
    Path map = maps.resolve(log);
    if (!Files.exists(map)) {
      Cartostream run =
          Cartostream.run(
              "replay", TestFiles.publicLog(log + ".clf"), "--engine", "serial", "--out", map);
      assertThat(run.exitCode()).isZero();
    }
    return map;
  }

  /** One run, and how far it was from the mapping run where both have a pose. */
  private record Localised(
      int exitCode, List<Double> metres, double foundAfterMetres, JsonNode report) {

    double at(double share) {
      List<Double> sorted = metres.stream().sorted().toList();
      return sorted.get((int) Math.min(sorted.size() - 1, share * sorted.size()));
    }

    void print(String what) {
      System.out.printf(
          Locale.ROOT,
          "%s,%d,%.3f,%.3f,%.3f,%.1f,%d,%d,%d,%.2f,%.2f,%.1f%n",
          what,
          report.at("/readings/processed").asInt(),
          metres.isEmpty() ? Double.NaN : at(0.5),
          metres.isEmpty() ? Double.NaN : at(0.95),
          metres.isEmpty() ? Double.NaN : at(1),
          foundAfterMetres,
          report.at("/localisation/ok").asInt(),
          report.at("/localisation/ambiguous").asInt(),
          report.at("/localisation/lost").asInt(),
          report.at("/localisation/medianFit").asDouble(),
          report.at("/localisation/minFit").asDouble(),
          report.at("/millisPerReading/p50").asDouble());
    }
  }

  private Localised localise(List<String> scans, Path map, String at, long seed)
      throws IOException {
    Path log = Files.write(folder.resolve("part.clf"), scans);
    Path out = folder.resolve("found");
    List<Object> words =
        new ArrayList<>(List.of("replay", log, "--engine", "serial", "--localise"));
    words.addAll(List.of(map.resolve("map.yaml"), "--out", out, "--seed", seed));
    if (at != null) {
      words.addAll(List.of("--at", at));
    }
    int exitCode = Cartostream.run(words.toArray()).exitCode();
    Map<Long, Pose> truth = new HashMap<>();
    TumFile.read(map.resolve("trajectory.tum"))
        .forEach(each -> truth.put(each.stampNanos(), each.pose()));
    List<Double> metres = new ArrayList<>();
    double way = 0;
    double since = 0;
    double found = -1;
    int near = 0;
    Pose last = null;
    for (StampedPose each : TumFile.read(out.resolve("trajectory.tum"))) {
      Pose right = truth.get(each.stampNanos());
      if (right == null) {
        continue;
      }
      way += last == null ? 0 : last.distance(right);
      last = right;
      metres.add(right.distance(each.pose()));
      double turned = Math.abs(Pose.wrap(right.theta() - each.pose().theta()));
      boolean isNear = right.distance(each.pose()) <= FOUND_METRES && turned <= FOUND_RADIANS;
      since = isNear && near == 0 ? way : since;
      near = isNear ? near + 1 : 0;
      found = near == FOUND_READINGS && found < 0 ? since : found;
    }
    return new Localised(
        exitCode, metres, found, RunReport.json().readTree(out.resolve("report.json").toFile()));
  }

  private static Pose poseAt(Path map, int reading) throws IOException {
    return TumFile.read(map.resolve("trajectory.tum")).get(reading).pose();
  }

  private static String beside(Pose pose) {
    return String.format(
        Locale.ROOT, "%.6f,%.6f,%.6f", pose.x() + 0.3, pose.y() + 0.2, pose.theta() + 0.1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"intel", "aces", "simbad-640"})
  void followsTheSecondHalfInTheMapOfTheWhole(String log) throws IOException {
    Path map = mapped(log);
    byte[] yaml = Files.readAllBytes(map.resolve("map.yaml"));
    byte[] picture = Files.readAllBytes(map.resolve("map.pgm"));
    List<String> scans = scans(log);
    int half = scans.size() / 2;
    for (long seed = 1; seed <= 5; seed++) {
      Localised run =
          localise(scans.subList(half, scans.size()), map, beside(poseAt(map, half)), seed);
      run.print(log + "," + log + ",beside," + half + "," + seed);
      assertThat(run.at(0.5)).as("seed %d", seed).isLessThanOrEqualTo(0.05);
      assertThat(run.at(0.95)).as("seed %d", seed).isLessThanOrEqualTo(0.2);
      assertThat(run.report().at("/localisation/lost").asInt()).isZero();
    }
    assertThat(Files.readAllBytes(map.resolve("map.yaml"))).isEqualTo(yaml);
    assertThat(Files.readAllBytes(map.resolve("map.pgm"))).isEqualTo(picture);
  }

  /** Each seed begins elsewhere on the way. */
  @ParameterizedTest
  @ValueSource(strings = {"intel", "aces"})
  void isFoundFromAnywhere(String log) throws IOException {
    Path map = mapped(log);
    List<String> scans = scans(log);
    int found = 0;
    for (int seed = 1; seed <= 10; seed++) {
      int from = (2 * seed - 1) * scans.size() / 25;
      Localised run = localise(scans.subList(from, scans.size()), map, null, seed);
      run.print(log + "," + log + ",anywhere," + from + "," + seed);
      found += run.foundAfterMetres() >= 0 && run.foundAfterMetres() <= 20 ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(9);
  }

  @Test
  void isLostInTheMapOfAnotherBuilding() throws IOException {
    for (List<String> pair :
        List.of(
            List.of("intel", "aces"), List.of("aces", "intel"), List.of("simbad-640", "intel"))) {
      List<String> scans = scans(pair.get(0));
      Path other = mapped(pair.get(1));
      for (String at : new String[] {"0,0,0", null}) {
        Localised run = localise(scans.subList(scans.size() / 2, scans.size()), other, at, 1);
        String start = at == null ? ",anywhere," : ",origin,";
        run.print(String.join(",", pair) + start + scans.size() / 2 + ",1");
        assertThat(run.report().at("/localisation/ok").asInt()).as("%s", pair).isZero();
        assertThat(run.report().at("/localisation/end").asText()).isEqualTo("LOST");
        assertThat(run.exitCode()).isEqualTo(1);
      }
    }
  }
}
