package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.cartostream.cli.OfficeReplay.command;
import static org.cartostream.cli.OfficeReplay.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.report.RunReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user meets, good and bad; by the serial engine, which needs no servers. */
class ReplayCommandTest {

  @TempDir private Path folder;

  private Cartostream replay(Object... arguments) {
    return replay(new ShutdownRequest(), arguments);
  }

  private Cartostream replay(ShutdownRequest shutdownRequest, Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("replay", "--engine", "serial"));
    all.addAll(List.of("--out", out(), "--particles", 5));
    all.addAll(List.of(arguments));
    return Cartostream.run(shutdownRequest, all.toArray());
  }

  private Path out() {
    return folder.resolve("out");
  }

  private JsonNode report() throws IOException {
    return RunReport.json().readTree(out().resolve("report.json").toFile());
  }

  // --- good ------------------------------------------------------------------------------------

  @Test
  void writesMapTrajectoryAndReport() throws IOException {
    Cartostream run = replay(Logs.OFFICE, "--limit", 40);
    assertThat(run.err()).doesNotContain("cartostream:");
    assertThat(run.exitCode()).isZero();
    assertThat(out()).isDirectoryContaining("glob:**/map.png");
    assertThat(out()).isDirectoryContaining("glob:**/map.pgm");
    assertThat(out()).isDirectoryContaining("glob:**/map.yaml");
    assertThat(out().resolve("trajectory.tum")).isNotEmptyFile();
    assertThat(Files.readAllLines(out().resolve("trajectory.tum"))).hasSize(40);
    assertThat(Files.readAllLines(out().resolve("live.tum"))).hasSize(40);
    assertThat(report().at("/readings/read").asInt()).isEqualTo(40);
    assertThat(report().at("/readings/processed").asInt()).isEqualTo(40);
    assertThat(report().at("/readings/lost").asInt(-1)).isZero();
    assertThat(report().at("/millisPerReading/p95").asDouble()).isPositive();
    assertThat(report().at("/liveHeapBytes").asLong()).isPositive();
    assertThat(report().at("/bytesMoved").asLong(-1)).isZero();
    assertThat(report().at("/loops/closed").asLong(-1)).isZero();
    assertThat(report().at("/loops/seconds").asDouble()).isPositive();
    assertThat(report().at("/seed").asLong()).isEqualTo(1);
    assertThat(report().at("/configuration/slam.particles").asText()).isEqualTo("5");
    assertThat(report().at("/versions/storm").asText()).isNotEqualTo("unknown");
    assertThat(report().at("/end").asText()).isEqualTo("COMPLETE");
  }

  @Test
  void theSummaryFitsAScreen() {
    Cartostream run = replay(Logs.OFFICE, "--limit", 20, "--reference", Logs.OFFICE_REFERENCE);
    assertThat(run.out().lines().count()).isLessThanOrEqualTo(24);
    assertThat(run.out())
        .contains("20 processed", "map.png", "ATE")
        .doesNotContain("ms/reading", "stages", "resamplings", "heap");
  }

  @Test
  void thePosesOnTheWayAreMeasuredAsThePathIs() throws IOException {
    List<String> whole = Files.readAllLines(Logs.OFFICE_REFERENCE);
    Path reference = Files.write(folder.resolve("reference.tum"), whole.subList(0, 60));
    replay(Logs.OFFICE, "--limit", 60, "--reference", reference);
    JsonNode accuracy = report().at("/accuracy");
    Path live = out().resolve("live.tum");
    assertThat(Cartostream.run("evaluate", live, "--reference", reference).out())
        .contains(
            String.format(Locale.ROOT, "ATE %14.3f m", accuracy.at("/live/ateMetres").asDouble()));
    assertThat(accuracy.at("/live/ateMetres")).isNotEqualTo(accuracy.at("/ateMetres"));
    assertThat(accuracy.at("/live/largestJumpMetres").asDouble()).isBetween(1e-6, 0.5);
    assertThat(accuracy.at("/live/corrections").isInt()).isTrue();
    assertThat(accuracy.at("/live/largestCorrectionMetres").isDouble()).isTrue();
  }

  @Test
  void verboseSaysWhatTheRunCost() {
    Cartostream run = replay(Logs.OFFICE, "--limit", 20, "--verbose");
    assertThat(run.out().lines().count()).isLessThanOrEqualTo(24);
    assertThat(run.out()).contains("20 processed", "ms/reading", "stages", "resamplings", "heap");
  }

  /** A part of a log is measured by as much of the reference, of which here nothing is left. */
  @Test
  void saysThatAReferenceIsAnotherLogs() throws IOException {
    Path later = Files.writeString(folder.resolve("later.tum"), "9e9 0 0 0 0 0 0 1\n");
    Cartostream run = replay(Logs.OFFICE, "--limit", 3, "--reference", later);
    String sentence = "All of the reference's 1 stamps are later";
    assertThat(run.out()).contains(sentence, "another log?");
    assertThat(report().at("/accuracy/unmeasured/0").asText()).startsWith(sentence);
  }

  @Test
  void oneSeedGivesOneTrajectory() throws IOException {
    replay(Logs.OFFICE, "--limit", 60, "--seed", 7);
    byte[] one = Files.readAllBytes(out().resolve("trajectory.tum"));
    replay(Logs.OFFICE, "--limit", 60, "--set", "slam.seed=7");
    assertThat(out().resolve("trajectory.tum")).hasBinaryContent(one);
  }

  @Test
  void takesSettingsFromAFile() throws IOException {
    Path config = Files.writeString(folder.resolve("my.yaml"), "slam:\n  seed: 9\n");
    replay(Logs.OFFICE, "--limit", 3, "--config", config);
    assertThat(report().at("/seed").asLong()).isEqualTo(9);
  }

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
  void refusesAFieldOfViewThatNoLaserHas() {
    failsWith(
        2,
        replay(Logs.OFFICE, "--set", "carmen.flaserDegrees=400"),
        "flaserDegrees: 400",
        "to 360");
    failsWith(
        2, replay(Logs.OFFICE, "--set", "carmen.flaserDegrees=4.7"), "flaserDegrees: 4.7", "10 to");
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

  // --- readings that cannot be used ------------------------------------------------------------

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
  void saysByHowMuchStampsLagAndWhichSettingTakesItOff() throws IOException {
    Path bag = Logs.ROOT.resolve("../shared/inputs/c05_upside_asym.bag");
    assumeThat(bag).as("an input of ../shared").exists();
    Cartostream run = replay(bag, "--set", "ros.laserLagSeconds=-0.3");
    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("scans are stamped 0.30 s later than they were taken")
        .contains("--set ros.laserLagSeconds=");
    assertThat(report().at("/odometry/lagSeconds").asDouble()).isCloseTo(0.3, within(0.03));
    assertThat(replay(bag).out()).doesNotContain("later than they were taken");
  }

  @Test
  void saysThatNothingCouldBeUsed() throws IOException {
    Cartostream run = replay(Logs.file(folder, List.of("FLASER 0 0 0 0 0 0 0 1.5 host 1.5")));
    assertThat(run.complaint()).contains("no reading of", "my.clf", "no map");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  // --- what cannot be right --------------------------------------------------------------------

  private void failsWith(int exitCode, Cartostream run, String... words) {
    assertThat(run.complaint()).contains(words);
    assertThat(run.err()).doesNotContain("\tat ");
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }

  @Test
  void namesALogThatIsEmpty() throws IOException {
    failsWith(1, replay(Logs.file(folder, List.of())), "my.clf", "is empty");
  }

  @Test
  void namesALogThatIsNone() throws IOException {
    failsWith(1, replay(Logs.file(folder, List.of("Dear diary,"))), "is no log", "FLASER");
  }

  @Test
  void wantsAtLeastOneParticle() {
    failsWith(2, replay(Logs.OFFICE, "--set", "slam.seed=x"), "slam.seed", "'x'");
    failsWith(
        2, Cartostream.run("replay", Logs.OFFICE, "--particles", 0), "slam.particles: 0", "from 1");
  }

  @Test
  void wantsAtLeastOneTask() {
    failsWith(2, replay(Logs.OFFICE, "--tasks", 0), "topology.tasks: 0", "from 1");
  }

  @Test
  void suggestsTheNearestKey() {
    failsWith(
        2, replay(Logs.OFFICE, "--set", "slam.particels=3"), "did you mean 'slam.particles'?");
  }

  @Test
  void namesTheConfigurationFileWithAnUnknownKey() throws IOException {
    Path config = Files.writeString(folder.resolve("my.yaml"), "slam:\n  sead: 9\n");
    failsWith(2, replay(Logs.OFFICE, "--config", config), "my.yaml: ", "did you mean 'slam.seed'?");
  }

  @Test
  void suggestsTheNearestOption() {
    failsWith(2, replay(Logs.OFFICE, "--sead", 3), "'--sead'", "did you mean --seed");
  }

  @Test
  void wantsARobotsId() {
    failsWith(2, replay(Logs.OFFICE, "--robot", "r2.d2"), "--robot", "r2.d2");
  }

  @Test
  void theRobotIsNamedAfterTheLog() throws IOException {
    Path log = Files.write(folder.resolve("my log (2).clf"), Logs.office(3));
    assertThat(replay(log).exitCode()).isZero();
    assertThat(report().at("/robot").asText()).isEqualTo("my_log__2_");
  }

  @Test
  void wantsARateAboveZero() {
    failsWith(2, replay(Logs.OFFICE, "--rate", "0"), "--rate", "'0'", "max");
  }

  @Test
  void wantsALimitAboveZero() {
    failsWith(2, replay(Logs.OFFICE, "--limit", "0"), "--limit 0", "at least 1");
  }

  /** As of a script's variable that is empty: the files would be strewn about. */
  @Test
  void wantsAnOutputFolderWithAName() {
    failsWith(2, Cartostream.run("replay", Logs.OFFICE, "--out", ""), "''", "--out DIR");
  }

  @Test
  void namesAnOutputFolderThatIsAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "mine");
    failsWith(1, Cartostream.run("replay", Logs.OFFICE, "--out", file), "file' is a file");
    assertThat(file).hasContent("mine");
  }

  @Test
  void namesAnOutputFolderThatCannotBeWritten() {
    Path locked = Path.of("/proc/cartostream"); // not even root may write there
    assumeThat(Path.of("/proc/self")).exists();
    failsWith(
        1,
        Cartostream.run("replay", Logs.OFFICE, "--out", locked),
        "cannot write",
        "nothing can be made at '/proc/cartostream'",
        "--out");
  }

  @Test
  void saysWhyAnOutputFolderCannotBeMade() throws IOException {
    Path below = Files.writeString(folder.resolve("file"), "mine").resolve("sub");
    failsWith(
        1, Cartostream.run("replay", Logs.OFFICE, "--out", below), "': Not a directory; --out");
  }

  @Test
  void namesAReferenceThatIsMissing() {
    failsWith(1, replay(Logs.OFFICE, "--reference", "none.tum"), "none.tum");
  }

  @Test
  void showsTheStackTraceOnlyToWhoAsks() {
    Cartostream run = replay(Logs.OFFICE, "--limit", 0, "--verbose");
    assertThat(run.err()).contains("\tat org.cartostream.cli");
    assertThat(run.exitCode()).isEqualTo(2);
  }

  @Test
  void wantsAClusterForWorkers() {
    failsWith(2, Cartostream.run("replay", Logs.OFFICE, "--workers", 2), "--workers", "--cluster");
  }

  /** Hours of computing may be in the folder, and an address is soon mistyped. */
  @Test
  void keepsAnOlderRunsFilesIfItCannotBegin() throws IOException {
    assertThat(replay(Logs.OFFICE, "--limit", 3).exitCode()).isZero();
    String before = Files.readString(out().resolve("report.json"));
    Cartostream run =
        Cartostream.run(
            "replay", Logs.OFFICE, "--out", out(), "--broker", "amqp://guest:guest@127.0.0.1:1");
    failsWith(1, run, "127.0.0.1:1");
    assertThat(out().resolve("report.json")).hasContent(before);
    assertThat(out().resolve("map.png")).exists();
  }

  // --- an early end ----------------------------------------------------------------------------

  @Test
  void keepsAnOlderRunsFilesWhenInterruptedBeforeTheFirstReading() throws IOException {
    assertThat(replay(Logs.OFFICE, "--limit", 3).exitCode()).isZero();
    String before = Files.readString(out().resolve("report.json"));
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    shutdownRequest.request(130);
    Cartostream run = replay(shutdownRequest, Logs.OFFICE, "--reference", Logs.OFFICE_REFERENCE);
    assertThat(run.exitCode()).isEqualTo(130);
    assertThat(run.out())
        .isEqualToNormalizingNewlines(
            "office.clf: ended before the first reading\n"
                + "written:     nothing, for nothing was read\n");
    assertThat(out().resolve("report.json")).hasContent(before);
    assertThat(out().resolve("trajectory.tum")).isNotEmptyFile();
    assertThat(out().resolve("map.png")).exists();
  }

  @Test
  void writesTheTrajectoryOfAMapThatIsTooLargeToBeDrawn() throws IOException {
    List<String> lines = new ArrayList<>(Logs.office(5));
    lines.set(2, farAtBothEndsOfADiagonal(lines.get(2)));
    Cartostream run =
        replay(
            Logs.file(folder, lines),
            "--set",
            "slam.cellMetres=0.005",
            "--set",
            "slam.matcher.hitMetres=0.015");
    assertThat(run.complaint()).contains("too large to be drawn", "larger cells", "is in " + out());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(Files.readAllLines(out().resolve("trajectory.tum"))).hasSize(5);
    assertThat(out().resolve("map.pgm")).doesNotExist();
    assertThat(report().at("/end").asText()).isEqualTo("FAILED");
  }

  /** A scan line of the office with two beams of 240 m, at -135 and at 45 degrees. */
  private static String farAtBothEndsOfADiagonal(String line) {
    String[] words = line.split(" ");
    words[5] = "5000"; // maximum_range
    words[9] = "240";
    words[9 + 120] = "240";
    return String.join(" ", words);
  }

  @Test
  void refusesASettingOfWorkersWhereAllIsInOneProcess() {
    failsWith(
        2,
        Cartostream.run("replay", Logs.OFFICE, "--set", "topology.workers=2"),
        "--set topology.workers",
        "--cluster");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "broker.uri=amqp://a@b",
        "registry.zookeeper=a:1",
        "gateway.creditReadings=3",
        "topology.tasks=2"
      })
  void refusesASettingThatMeansNothingToTheSerialEngine(String setting) {
    Cartostream run = replay(Logs.OFFICE, "--set", setting);
    assertThat(run.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(run.complaint())
        .startsWith("--set " + setting.split("=")[0] + ": not with --engine serial");
  }

  @Test
  void notesSettingsOfABagThatChangeNothingInAnotherLog() {
    Cartostream run =
        replay(
            Logs.OFFICE,
            "--limit",
            3,
            "--set",
            "ros.bagScanTopic=/front",
            "--set",
            "ros.bagOdometryTopic=/wheels");
    assertThat(run.err())
        .contains("note: ros.bagScanTopic changes nothing: the log is no bag")
        .contains("note: ros.bagOdometryTopic changes nothing: the log is no bag");
    assertThat(run.out()).contains("note         ros.bagScanTopic changes nothing");
  }

  @Test
  void refusesWhatTheSerialEngineDoesNotDo() {
    Cartostream elsewhere = replay(Logs.OFFICE, "--workers", 2, "--cluster");
    assertThat(elsewhere.complaint()).startsWith("--cluster, --workers: not with --engine serial");
    assertThat(elsewhere.exitCode()).isEqualTo(2);
    for (String option : List.of("--broker", "--zookeeper", "--rate")) {
      String value = option.equals("--broker") ? "amqp://localhost" : "2";
      assertThat(replay(Logs.OFFICE, option, value).complaint())
          .startsWith(option + ": not with --engine serial");
    }
    Cartostream tasks = replay(Logs.OFFICE, "--tasks", 4, "--set", "topology.mode=bsp");
    assertThat(tasks.complaint()).startsWith("--tasks, --set topology.mode: not with --engine");
    assertThat(replay(Logs.OFFICE, "--mode", "bsp").complaint()).startsWith("--mode: not with");
    assertThat(replay(Logs.OFFICE, "--limit", 1, "--rate", "max").exitCode()).isZero();
  }

  @Test
  void saysThatNoBrokerIsThere() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Cartostream run =
        Cartostream.run(command(folder, "--broker", "amqp://guest:guest@127.0.0.1:" + port));
    assertThat(run.complaint()).contains("127.0.0.1:" + port).doesNotContain("guest:guest");
    assertThat(run.exitCode()).isEqualTo(1);
  }

  @Test
  void saysThatAnAddressIsNone() {
    Cartostream run = Cartostream.run(command(folder, "--broker", "http://somewhere"));
    assertThat(run.complaint()).contains("it does not begin with amqp:// or amqps://");
    assertThat(run.exitCode()).isEqualTo(2);
  }
}
