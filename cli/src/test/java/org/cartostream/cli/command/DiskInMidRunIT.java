package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.cli.OfficeReplay;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replay one of whose folders has no more room when it is well on its way, and that ends. */
@Nightly
@Timeout(300)
class DiskInMidRunIT {

  @TempDir private Path folder;

  /** Full for two seconds: the results are there; a recording says that it lacks something. */
  @ParameterizedTest
  @CsvSource({
    "serial, OUTPUT",
    "serial, CHECKPOINTS",
    "serial, TEMPORARY",
    "storm, OUTPUT",
    "storm, CHECKPOINTS",
    "storm, TEMPORARY"
  })
  void goesOnWhereThereIsRoomAgain(String engine, Place place) throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", place)) {
      Process process = replay.startAndFillForTwoSeconds();
      int exitCode = replay.end(process);
      if (place == Place.OUTPUT) {
        assertThat(exitCode).isEqualTo(replay.said().contains("run.mcap on the disk") ? 1 : 0);
      } else {
        assertThat(exitCode).isZero();
      }
      replay.checkResults();
    }
  }

  /** What there is of its state is of the latest checkpoint, and says so. */
  @ParameterizedTest
  @CsvSource({"serial", "storm"})
  void goesOnWithoutCheckpoints(String engine) throws Exception {
    try (ReplayOnSmallDisks replay =
        new ReplayOnSmallDisks(folder, engine, "", Place.CHECKPOINTS)) {
      Process process = replay.startAndFill();
      assertThat(replay.end(process)).isOne();
      assertThat(replay.complaint()).contains("run.state", replay.disk().folder().toString());
      replay.checkResults();
    }
  }

  @ParameterizedTest
  @CsvSource({"serial", "storm"})
  void needsNoTemporaryFolderOnItsWay(String engine) throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", Place.TEMPORARY)) {
      Process process = replay.startAndFill();
      assertThat(replay.end(process)).isZero();
      assertThat(OfficeReplay.report(replay.out()).at("/recovered/times").asInt()).isZero();
      assertThat(Files.readString(replay.out().resolve("report.json"))).contains("COMPLETE");
      replay.checkResults();
    }
  }
}
