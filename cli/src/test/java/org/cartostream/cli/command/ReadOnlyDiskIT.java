package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replay one of whose folders is on a disk that becomes read-only on its way, as one with faults
 * does: files that are open can take nothing more, either. No mount does that on demand.
 */
@Nightly
@Timeout(300)
class ReadOnlyDiskIT {

  @TempDir private static Path shared;

  private static Path library;

  @TempDir private Path folder;

  @BeforeAll
  static void compile() throws Exception {
    library = SlowDiskIT.compile("read-only-disk", shared);
  }

  private Path flag() {
    return folder.resolve("read-only");
  }

  /** Starts the replay, whose disk is read-only once it is somewhere. */
  private Process start(ReplayOnSmallDisks replay) throws Exception {
    Process process =
        replay.start(
            Map.of(
                "LD_PRELOAD",
                library.toString(),
                "READ_ONLY_FOLDER",
                replay.disk().folder().toRealPath().toString(),
                "READ_ONLY_IF",
                flag().toString()));
    replay.progress().untilSomewhere(process);
    Files.createFile(flag());
    return process;
  }

  /** It can be resumed when the disk can be written again. Storm must delete its files there. */
  @ParameterizedTest
  @CsvSource({"serial, OUTPUT", "storm, OUTPUT", "storm, TEMPORARY"})
  void endsWithTheFolderAndTheCauseAndIsResumed(String engine, Place place) throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", place)) {
      assertThat(replay.end(start(replay))).isOne();
      assertThat(replay.complaint())
          .contains(replay.disk().folder().toString(), ReplayOnSmallDisks.READ_ONLY);
      assertThat(replay.end(replay.start(Map.of(), "--resume"))).isZero();
      assertThat(replay.said()).contains("resumed      behind reading ");
      replay.checkResults();
    }
  }

  @ParameterizedTest
  @CsvSource({"serial", "storm"})
  void goesOnWithoutCheckpoints(String engine) throws Exception {
    try (ReplayOnSmallDisks replay =
        new ReplayOnSmallDisks(folder, engine, "", Place.CHECKPOINTS)) {
      assertThat(replay.end(start(replay))).isOne();
      assertThat(replay.complaint()).contains("run.state", replay.disk().folder().toString());
      assertThat(replay.said().lines().filter(line -> line.startsWith("checkpoints ")))
          .noneMatch(line -> line.contains("Exception"));
      replay.checkResults();
    }
  }

  @Test
  void oneThreadNeedsNoTemporaryFolderOnItsWay() throws Exception {
    try (ReplayOnSmallDisks replay =
        new ReplayOnSmallDisks(folder, "serial", "", Place.TEMPORARY)) {
      assertThat(replay.end(start(replay))).isZero();
      replay.checkResults();
    }
  }
}
