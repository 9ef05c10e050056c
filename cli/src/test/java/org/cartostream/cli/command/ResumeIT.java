package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.cli.SavedState;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A replay whose process is killed goes on from its checkpoint to the same bytes. */
@Default
class ResumeIT {

  private static final List<String> FILES =
      List.of("trajectory.tum", "live.tum", "live.covariance.csv", "map.pgm", "map.yaml");
  private static final String PARTICLES = "60";

  @TempDir private Path folder;

  private Object[] command(String engine, String out, Object... more) {
    List<Object> words =
        new ArrayList<>(
            List.of("replay", Logs.OFFICE, "--engine", engine, "--particles", PARTICLES));
    words.addAll(List.of("--set", "checkpoint.everySeconds=0.001", "--out", folder.resolve(out)));
    words.addAll(List.of(more));
    return words.toArray();
  }

  private boolean hasCheckpoint(Path out) throws IOException {
    Path checkpoints = out.resolve(RunCheckpoints.FOLDER);
    if (!Files.exists(checkpoints)) {
      return false;
    }
    try (Stream<Path> files = Files.walk(checkpoints)) {
      return files.anyMatch(each -> each.toString().endsWith(".json"));
    }
  }

  private void replayKilled(String engine) throws Exception {
    Process killed =
        CartostreamProcess.start(folder.resolve("process.txt"), command(engine, "killed"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(180))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> hasCheckpoint(folder.resolve("killed")) || !killed.isAlive());
    assertThat(killed.isAlive()).as("killed before its end").isTrue();
    killed.destroyForcibly().waitFor();
    assertThat(folder.resolve("killed/trajectory.tum")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"serial", "storm"})
  void aKilledReplayGoesOnToTheSameBytes(String engine) throws Exception {
    assertThat(Cartostream.run(command("serial", "undisturbed")).exitCode()).isZero();
    replayKilled(engine);
    Cartostream resumed = Cartostream.run(command(engine, "killed", "--resume"));
    assertThat(resumed.out()).contains("resumed      behind reading ");
    assertIsAsUndisturbed(resumed);
  }

  /** The log is at hand: the run needs no checkpoint. */
  @ParameterizedTest
  @CsvSource({
    "serial, .*[.]json",
    "storm, .*[.]json",
    "storm, .*/(matcher|publisher|[0-9]+-[0-9]+[.]matcher).*",
    "storm, .*/run[.]journal"
  })
  void aReplayWhoseCheckpointsAreDamagedBeginsAnewByItself(String engine, String damaged)
      throws Exception {
    assertThat(Cartostream.run(command("serial", "undisturbed")).exitCode()).isZero();
    replayKilled(engine);
    try (Stream<Path> files = Files.walk(folder.resolve("killed/checkpoint"))) {
      for (Path file : files.filter(each -> each.toString().matches(damaged)).toList()) {
        Files.write(file, new byte[] {1, 2, 3}, StandardOpenOption.WRITE);
      }
    }
    Cartostream resumed = Cartostream.run(command(engine, "killed", "--resume"));
    assertThat(resumed.out())
        .contains("the run begins anew, with the log's first reading")
        .containsPattern("note .*" + folder.resolve("killed/checkpoint"));
    assertIsAsUndisturbed(resumed);
  }

  private void assertIsAsUndisturbed(Cartostream resumed) throws Exception {
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    for (String name : FILES) {
      assertThat(folder.resolve("killed").resolve(name))
          .hasSameBinaryContentAs(folder.resolve("undisturbed").resolve(name));
    }
    int poses = Files.readAllLines(folder.resolve("killed/trajectory.tum")).size();
    assertThat(SavedState.lastReading(folder.resolve("killed")))
        .as("of the whole log")
        .isEqualTo(poses);
  }

  @Test
  void whatCannotBeResumedIsRefusedWithTheReason() {
    Cartostream nothing = Cartostream.run(command("serial", "none", "--resume"));
    assertThat(nothing.exitCode()).isEqualTo(1);
    assertThat(nothing.complaint()).contains("there is nothing to resume", "without --resume");

    assertThat(Cartostream.run(command("serial", "out", "--limit", 10)).exitCode()).isZero();
    Cartostream other = Cartostream.run(command("serial", "out", "--resume", "--seed", 5));
    assertThat(other.exitCode()).isEqualTo(1);
    assertThat(other.complaint()).contains("seed was 1 and is 5 now");

    Cartostream storm = Cartostream.run(command("storm", "out", "--resume"));
    assertThat(storm.exitCode()).isEqualTo(1);
    assertThat(storm.complaint()).contains("there is nothing to resume");
  }
}
