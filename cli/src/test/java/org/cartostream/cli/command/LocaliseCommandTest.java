package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.report.RunReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user meets who has a map already. */
@Quick
class LocaliseCommandTest {

  private static final int SCANS = 40;

  @TempDir private static Path maps;
  @TempDir private Path folder;

  @BeforeAll
  static void mapTheOffice() {
    Cartostream run =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--limit",
            SCANS,
            "--particles",
            10,
            "--out",
            maps);
    assertThat(run.exitCode()).isZero();
  }

  private Cartostream localise(Object... arguments) {
    return localiseFirst(SCANS, arguments);
  }

  private Cartostream localiseFirst(int scans, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", Logs.OFFICE, "--limit", scans));
    all.addAll(List.of("--engine", "serial"));
    all.addAll(List.of("--localise", maps.resolve("map.yaml"), "--out", folder.resolve("out")));
    all.addAll(List.of(arguments));
    return Cartostream.run(all.toArray());
  }

  private JsonNode report() throws IOException {
    return RunReport.json().readTree(folder.resolve("out/report.json").toFile());
  }

  @Test
  void findsTheRobotAndLeavesTheMapAlone() throws IOException {
    byte[] yaml = Files.readAllBytes(maps.resolve("map.yaml"));
    byte[] picture = Files.readAllBytes(maps.resolve("map.pgm"));

    Cartostream run = localise("--at", "0.1,-0.1,0.05", "--verbose");

    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("(?m)^localised +40 OK, 0 AMBIGUOUS, 0 LOST; at the end OK");
    assertThat(report().at("/localisation/ok").asInt()).isEqualTo(SCANS);
    assertThat(report().at("/localisation/medianFit").asDouble()).isBetween(0.9, 1.0);
    assertThat(report().at("/localisation/start/x").asDouble()).isEqualTo(0.1);
    assertThat(report().at("/particles").asInt()).isEqualTo(2000);
    assertThat(Files.readAllLines(folder.resolve("out/quality.csv"))).hasSize(1 + SCANS);
    assertThat(Files.readAllLines(folder.resolve("out/trajectory.tum"))).hasSize(SCANS);
    assertThat(Files.readAllLines(folder.resolve("out/live.tum"))).hasSize(SCANS);
    assertThat(folder.resolve("out/map.png")).exists();
    assertThat(folder.resolve("out/map.pgm")).doesNotExist();
    assertThat(Files.readAllBytes(maps.resolve("map.yaml"))).isEqualTo(yaml);
    assertThat(Files.readAllBytes(maps.resolve("map.pgm"))).isEqualTo(picture);
  }

  @Test
  void theMapMayBeThatOfAState() throws IOException {
    assertThat(localise("--at", "0.1,-0.1,0.05").exitCode()).isZero();
    List<String> inTheFile = Files.readAllLines(folder.resolve("out/quality.csv"));

    Cartostream run =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--limit",
            SCANS,
            "--engine",
            "serial",
            "--localise",
            maps.resolve("run.state"),
            "--at",
            "0.1,-0.1,0.05",
            "--out",
            folder.resolve("out"));

    assertThat(run.exitCode()).isZero();
    assertThat(Files.readAllLines(folder.resolve("out/quality.csv"))).isEqualTo(inTheFile);
    assertThat(maps.resolve("run.state")).exists();
  }

  @Test
  void withoutAStartTheRobotIsLookedForEverywhere() throws IOException {
    Cartostream run = localise("--particles", 3000, "--seed", 2);

    assertThat(run.exitCode()).isZero();
    assertThat(report().at("/localisation/end").asText()).isEqualTo("OK");
    assertThat(report().at("/localisation/start").isMissingNode()).isTrue();
    assertThat(report().at("/particles").asInt()).isEqualTo(3000);
  }

  @Test
  void aRobotThatIsFoundNowhereIsAFailure() throws IOException {
    byte[] shades = new byte[200 * 200];
    Arrays.fill(shades, (byte) 254);
    Files.write(folder.resolve("empty.pgm"), withHead("P5 200 200 255\n", shades));
    Files.writeString(
        folder.resolve("empty.yaml"), "image: empty.pgm\nresolution: 0.05\norigin: [-5, -5, 0]\n");

    Cartostream run = localise("--localise", folder.resolve("empty.yaml"), "--at", "0,0,0");
    assertThat(run.exitCode()).isEqualTo(2); // Named twice.

    run =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--limit",
            10,
            "--engine",
            "serial",
            "--localise",
            folder.resolve("empty.yaml"),
            "--out",
            folder.resolve("out"));
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("0 OK, 0 AMBIGUOUS, 10 LOST; at the end LOST");
    assertThat(run.complaint()).contains("the robot was found nowhere in '");
  }

  /** The office twice, side by side: wherever the robot seems to be, it may be in the other one. */
  @Test
  void aRobotThatMayBeInTwoPlacesToTheEndIsNotSaidToHaveAWrongMap() throws IOException {
    byte[] one = Files.readAllBytes(maps.resolve("map.pgm"));
    String[] size = new String(one, StandardCharsets.ISO_8859_1).split("\n")[2].split(" ");
    int width = Integer.parseInt(size[0]);
    int height = Integer.parseInt(size[1]);
    byte[] two = new byte[2 * width * height];
    for (int y = 0; y < height; y++) {
      int from = one.length - (height - y) * width;
      System.arraycopy(one, from, two, 2 * y * width, width);
      System.arraycopy(one, from, two, (2 * y + 1) * width, width);
    }
    String head = "P5 " + 2 * width + " " + height + " 255\n";
    Files.write(folder.resolve("map.pgm"), withHead(head, two));
    Files.copy(maps.resolve("map.yaml"), folder.resolve("map.yaml"));

    Cartostream run = localisedInFolder();

    assertThat(run.out()).contains("at the end AMBIGUOUS");
    assertThat(run.complaint()).endsWith("what it saw fits several places of it alike");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  /** By the map that the test has put into its folder. */
  private Cartostream localisedInFolder() {
    return Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--limit",
        SCANS / 2,
        "--engine",
        "serial",
        "--localise",
        folder.resolve("map.yaml"),
        "--out",
        folder.resolve("out"));
  }

  /** Each cell twice as wide. */
  @Test
  void aMapOfAnotherScaleIsTold() throws IOException {
    Files.copy(maps.resolve("map.pgm"), folder.resolve("map.pgm"));
    String yaml = Files.readString(maps.resolve("map.yaml"));
    String twice = yaml.replace("resolution: 0.05", "resolution: 0.10");
    assertThat(twice).isNotEqualTo(yaml);
    Files.writeString(folder.resolve("map.yaml"), twice);

    Cartostream run = localisedInFolder();

    assertThat(run.out()).contains("at the end LOST");
    assertThat(run.complaint()).contains("is that a map of the place, and at the right scale?");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void aLogOfWhichNothingCanBeUsedLeavesTheRobotUnfound() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : Logs.office(3)) {
      String[] words = line.split(" ");
      Arrays.fill(words, 9, 9 + Integer.parseInt(words[8]), "8.00"); // Nothing is met.
      lines.add(String.join(" ", words));
    }

    Cartostream run =
        Cartostream.run(
            "replay",
            Logs.file(folder, lines),
            "--engine",
            "serial",
            "--localise",
            maps.resolve("map.yaml"),
            "--out",
            folder.resolve("out"));

    assertThat(run.complaint())
        .contains("could be used, so the robot was not found: 3 of 3 were refused for ");
  }

  private static byte[] withHead(String head, byte[] shades) {
    byte[] start = head.getBytes(StandardCharsets.US_ASCII);
    byte[] all = Arrays.copyOf(start, start.length + shades.length);
    System.arraycopy(shades, 0, all, head.length(), shades.length);
    return all;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2            | --at 1,2: three numbers are needed",
        "1,2,north      | --at 1,2,north: three numbers are needed",
        "1,2,NaN        | --at 1,2,NaN: three numbers are needed",
        "500,0,0        | --at: the start (500.0, 0.0) lies outside the map, which reaches from (",
      })
  void aStartThatIsNoneIsNamed(String at, String sentence) {
    Cartostream run = localise("--at", at);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint()).startsWith(sentence);
  }

  @Test
  void whatCannotBeAskedForTogetherIsNamed() {
    assertThat(Cartostream.run("replay", Logs.OFFICE, "--at", "0,0,0").complaint())
        .startsWith("--at: only with --localise MAP");
    assertThat(localise("--tasks", 2).complaint()).startsWith("--tasks: not with --engine serial");
  }

  @Test
  void goesOnToTheSameBytes() throws IOException {
    List<String> files = List.of("trajectory.tum", "live.tum", "quality.csv", "map.png");
    Object[] at = {"--particles", 200, "--at", "0.1,-0.1,0.05"};
    assertThat(localise(at).exitCode()).isZero();
    List<byte[]> whole = contents(files);
    JsonNode localisation = report().at("/localisation");
    assertThat(localiseFirst(17, at).exitCode()).isZero();
    assertThat(contents(files).get(0)).isNotEqualTo(whole.get(0));

    Cartostream resumed = localise(at[0], at[1], at[2], at[3], "--resume");

    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(resumed.out()).contains("resumed      behind reading 17");
    assertThat(contents(files)).containsExactlyElementsOf(whole);
    assertThat(report().at("/localisation")).isEqualTo(localisation);
  }

  private List<byte[]> contents(List<String> files) throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (String file : files) {
      contents.add(Files.readAllBytes(folder.resolve("out").resolve(file)));
    }
    return contents;
  }

  @Test
  void doesNotGoOnInAMapThatHasChanged() throws IOException {
    Path yaml = Files.copy(maps.resolve("map.yaml"), folder.resolve("map.yaml"));
    Path picture = Files.copy(maps.resolve("map.pgm"), folder.resolve("map.pgm"));
    List<Object> run = new ArrayList<>(List.of("replay", Logs.OFFICE, "--limit", 5));
    run.addAll(List.of("--localise", yaml, "--at", "0,0,0", "--out", folder.resolve("out")));
    Cartostream whole = Cartostream.run(run.toArray());
    assertThat(whole.exitCode()).as(whole.err()).isZero();
    assertThat(report().at("/engine").asText()).isEqualTo("serial");
    byte[] changed = Files.readAllBytes(picture);
    changed[changed.length / 2] ^= (byte) 0xff;
    Files.write(picture, changed);

    run.add("--resume");
    Cartostream resumed = Cartostream.run(run.toArray());

    assertThat(resumed.exitCode()).isEqualTo(1);
    assertThat(resumed.complaint())
        .startsWith("the run cannot go on in " + yaml + ", which is another map now");
  }

  @Test
  void theFolderOfTheMapIsNotWrittenInto() {
    Cartostream run =
        Cartostream.run(
            "replay", Logs.OFFICE, "--localise", maps.resolve("map.yaml"), "--out", maps);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.complaint())
        .contains("holds '" + maps.resolve("map.yaml") + "', which this run");
    assertThat(maps.resolve("trajectory.tum")).exists();
  }

  /** What an older run left in the folder is deleted. */
  @Test
  void aPictureInTheOutputFolderIsNotDeleted() throws IOException {
    Path yaml = folder.resolve("elsewhere.yaml");
    String named = "image: " + maps.resolve("map.pgm").toAbsolutePath() + "\n";
    String other = Files.readString(maps.resolve("map.yaml")).replaceFirst("image: .*\n", named);
    Files.writeString(yaml, other);
    Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), maps.resolve("map.yaml"));

    for (Path map : List.of(yaml, link)) {
      Cartostream run =
          Cartostream.run("replay", Logs.OFFICE, "--localise", map, "--out", maps, "--limit", 5);

      assertThat(run.complaint()).contains("holds '" + map);
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(maps.resolve("map.pgm")).exists();
    }
  }

  @Test
  void aMapThatIsNotThereIsNamed() {
    Cartostream run =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--localise",
            folder.resolve("gone.yaml"),
            "--out",
            folder.resolve("out"));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.complaint()).isEqualTo("there is no file '" + folder.resolve("gone.yaml") + "'");
  }
}
