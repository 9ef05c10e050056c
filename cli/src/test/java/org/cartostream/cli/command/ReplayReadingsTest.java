package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.cartostream.cli.OfficeReplay.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.cartostream.testing.TestFiles;
import org.junit.jupiter.api.Test;

/** Logs of which some readings are unusual, and some cannot be used. */
@Quick
class ReplayReadingsTest extends SerialReplays {

  @Test
  void keepsReadingsWhoseStampsGoBackwardsOrRepeat() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(20));
    Collections.swap(lines, 7, 8);
    lines.add(10, lines.get(10));
    assertThat(replay(Logs.file(folder, lines)).exitCode()).isZero();
    assertThat(report().at("/readings/processed").asInt()).isEqualTo(21);
  }

  @Test
  void saysForWhatItTookAFieldOfViewThatTheLogDoesNotTell() throws IOException {
    String scan = "FLASER 541" + " 3".repeat(541) + " 0 0 0 0 0 0 1 host 1";
    Path log = Files.writeString(folder.resolve("my.clf"), scan);
    Cartostream taken = replay(log);
    String notice = "541 beams (1 lines) 270.0 degrees are taken";
    assertThat(taken.err()).contains("note: FLASER lines", notice, "carmen.flaserDegrees");
    assertThat(taken.out()).contains("note         FLASER lines", notice);
    assertThat(report().at("/notices/0").asText()).contains(notice);
    Cartostream said = replay(log, "--set", "carmen.flaserDegrees=180");
    assertThat(said.err() + said.out()).doesNotContain("FLASER lines");
    assertThat(report().at("/notices")).isEmpty();
    assertThat(said.exitCode()).isZero();
  }

  @Test
  void mapsALogWhoseScansDoNotTellTheirPose() throws IOException {
    String scan = " 0 -1.57 3.14 1 10 0.01 0 4 3 4 5 4 0 ";
    String log =
        "ODOM 0 0 0 0 0 0 1 host 1\n"
            + ("RAWLASER1" + scan + "1.5 host 1\n")
            + "ODOM 1 0 0 0 0 0 2 host 2\n"
            + ("RAWLASER1" + scan + "2.5 host 2\n")
            + "ODOM 2 0 0 0 0 0 3 host 3\n"
            + ("RAWLASER1" + scan + "3.5 host 3\n");
    Cartostream run = replay(Files.writeString(folder.resolve("my.clf"), log));
    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).contains("note: the log has no PARAM robot_frontlaser_offset");
    assertThat(run.out())
        .contains("2 processed, 1 refused", "NO_ODOMETRY", "0.50 s after the last ODOM line's");
  }

  @Test
  void refusesALineThatIsCutOffAndUsesTheRest() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(10));
    String last = lines.get(9);
    lines.set(9, last.substring(0, last.length() / 2));
    assertThat(replay(Logs.file(folder, lines)).exitCode()).isZero();
    assertThat(report().at("/readings/processed").asInt()).isEqualTo(9);
    assertThat(report().at("/refusals/TOO_FEW_NUMBERS/count").asInt()).isEqualTo(1);
  }

  @Test
  void refusesALineWithTooFewNumbers() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(10));
    lines.set(4, lines.get(4).replaceFirst(" \\S+$", ""));
    assertThat(replay(Logs.file(folder, lines)).exitCode()).isZero();
    assertThat(report().at("/refusals/TOO_FEW_NUMBERS/count").asInt()).isEqualTo(1);
    assertThat(report().at("/readings/processed").asInt()).isEqualTo(9);
  }

  @Test
  void refusesAScanWithoutBeamsAndOneWhoseBeamsAllMissed() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(10));
    lines.set(4, "FLASER 0 0 0 0 0 0 0 1.5 host 1.5");
    lines.set(6, "FLASER 3 nan nan nan 0 0 0 0 0 0 1.7 host 1.7");
    Cartostream run = replay(Logs.file(folder, lines));
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("2 refused", "NO_BEAMS", "ALL_BEAMS_INVALID");
    assertThat(report().at("/refusals/NO_BEAMS/count").asInt()).isEqualTo(1);
    assertThat(report().at("/refusals/ALL_BEAMS_INVALID/count").asInt()).isEqualTo(1);
  }

  @Test
  void refusesAJumpInOdometry() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(10));
    lines.set(5, jump(lines.get(5)));
    Cartostream run = replay(Logs.file(folder, lines));
    assertThat(run.exitCode()).isZero();
    assertThat(report().at("/refusals/ODOMETRY_JUMP/count").asInt()).isPositive();
  }

  /** A scan line whose odometry lies a kilometre away. */
  private static String jump(String line) {
    String[] words = line.split(" ");
    words[words.length - 11] = "1000.0"; // robot_pose_x
    return String.join(" ", words);
  }

  @Test
  void aRunThatMapsNextToNothingFails() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(2));
    lines.addAll(Collections.nCopies(60, "FLASER 3 1 2 3 0 0 0 0 0 0"));
    Cartostream run = replay(Logs.file(folder, lines));
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint()).contains("only 2 of 62 readings").contains("next to nothing");
  }

  /** A mirror image is no map. */
  @Test
  void aRunWhoseScansAreMirroredFailsAndSaysWhatToDo() throws IOException {
    Cartostream run =
        replay(Logs.file(folder, Logs.office(80).stream().map(this::mirror).toList()));
    assertThat(run.exitCode()).isOne();
    assertThat(run.complaint())
        .contains("my.clf", "turn against odometry", "the map may be a mirror image");
    assertThat(run.out()).contains("MIRRORED_SCAN", "ros.mount.upsideDown=true");
    assertThat(report().at("/refusals/MIRRORED_SCAN/count").asInt()).isBetween(5, 60);
  }

  /** A scan line whose beams come in the reverse order. */
  private String mirror(String line) {
    List<String> words = Arrays.asList(line.split(" "));
    int beams = Integer.parseInt(words.get(8));
    Collections.reverse(words.subList(9, 9 + beams));
    return String.join(" ", words);
  }

  /** Stamps that were right, and are moved. */
  @Test
  void stampsThatLagArePutRightAndTheSettingIsNamed() throws IOException {
    Path bag = TestFiles.usersFile("c05_upside_asym.bag");
    Cartostream run = replay(bag, "--set", "ros.laserLagSeconds=-0.3");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .containsPattern("scans are stamped 0[.](29|30|31) s later than they were taken")
        .containsPattern("put right, as --set ros.laserLagSeconds=-?0[.]0[01] does");
    assertThat(report().at("/odometry/lagSeconds").asDouble()).isCloseTo(0, within(0.03));
    assertThat(replay(bag).out()).doesNotContain("later than they were taken");
  }

  /** It is looked for in its map with the stamps that the run has. */
  @Test
  void aLogWhoseStampsArePutRightBeginsWhereItWouldWithRightOnes() throws IOException {
    Path bag = TestFiles.usersFile("c05_upside_asym.bag");
    assertThat(replay(bag).exitCode()).isZero();
    Path known = Files.createDirectory(folder.resolve("known"));
    for (String name : List.of("map.yaml", "map.pgm")) {
      Files.copy(folder.resolve("out").resolve(name), known.resolve(name));
    }
    Pose right = beginning(bag, known, 0);
    assertThat(beginning(bag, known, -0.3).distance(right)).isLessThan(0.03);
  }

  private Pose beginning(Path bag, Path known, double lag) {
    Path map = known.resolve("map.yaml");
    String set = "ros.laserLagSeconds=" + lag;
    Cartostream run = replay(bag, "--continue", map, "--at", "anywhere", "--set", set);
    Matcher found = Pattern.compile("the log begins at (\\S+),(\\S+),(\\S+)").matcher(run.err());
    assertThat(found.find()).as(run.err()).isTrue();
    return new Pose(
        Double.parseDouble(found.group(1)),
        Double.parseDouble(found.group(2)),
        Double.parseDouble(found.group(3)));
  }

  @Test
  void saysThatNothingCouldBeUsed() throws IOException {
    Cartostream run = replay(Logs.file(folder, List.of("FLASER 0 0 0 0 0 0 0 1.5 host 1.5")));
    assertThat(run.complaint()).contains("no reading of", "my.clf", "no map");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void namesALogThatIsEmpty() throws IOException {
    failsWith(1, replay(Logs.file(folder, List.of())), "my.clf", "is empty");
  }

  @Test
  void namesALogThatIsNone() throws IOException {
    failsWith(1, replay(Logs.file(folder, List.of("Dear diary,"))), "is no log", "FLASER");
  }
}
