package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A replay one of whose folders had no more room on its way, and that is resumed. */
@Nightly
@Timeout(300)
class ResumedAfterFullDiskIT {

  @TempDir private Path folder;

  /** Full for two seconds, then the process is killed. */
  @ParameterizedTest
  @CsvSource({"serial, OUTPUT", "storm, OUTPUT", "serial, CHECKPOINTS", "storm, CHECKPOINTS"})
  void isResumedFromACheckpointThatWasStoredWhenThereWasRoomAgain(String engine, Place place)
      throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", place)) {
      Process process = replay.startAndFillForTwoSeconds();
      replay.progress().untilALaterCheckpoint(process);
      process.destroyForcibly().waitFor();
      assertThat(replay.end(replay.start(Map.of(), "--resume"))).isZero();
      assertThat(replay.said()).contains("resumed      behind reading ");
      replay.checkResults();
    }
  }

  /** It can be resumed when there is room. */
  @ParameterizedTest
  @CsvSource({"serial", "storm"})
  void endsWhereItsResultsHaveNoRoomAndIsResumed(String engine) throws Exception {
    try (ReplayOnSmallDisks replay = new ReplayOnSmallDisks(folder, engine, "", Place.OUTPUT)) {
      Process process = replay.startAndFill();
      assertThat(replay.end(process)).isOne();
      assertThat(replay.complaint()).contains(replay.disk().folder().toString());
      replay.disk().makeRoom();
      assertThat(replay.end(replay.start(Map.of(), "--resume"))).isZero();
      replay.checkResults();
    }
  }
}
