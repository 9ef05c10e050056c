package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.cli.OfficeReplay.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.cartostream.cli.Cartostream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What a run writes and says, by the serial engine, which needs no servers. */
@Quick
class ReplayCommandTest extends SerialReplays {

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
    if (Files.exists(Path.of("/proc/self/status"))) {
      assertThat(report().at("/peakResidentBytes").asLong())
          .isGreaterThan(report().at("/liveHeapBytes").asLong());
    }
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
  void theRobotIsNamedAfterTheLog() throws IOException {
    Path log = Files.write(folder.resolve("my log (2).clf"), Logs.office(3));
    assertThat(replay(log).exitCode()).isZero();
    assertThat(report().at("/robot").asText()).isEqualTo("my_log__2_");
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
}
