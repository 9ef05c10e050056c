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

/** A replay one of whose folders can take nothing from the beginning. */
@Nightly
@Timeout(300)
class DiskAtStartIT {

  @TempDir private Path folder;

  /** Nothing of it would stay. */
  @ParameterizedTest
  @CsvSource({
    "serial, OUTPUT, No space left on device",
    "serial, OUTPUT, Read-only file system",
    "storm, OUTPUT, No space left on device",
    "storm, OUTPUT, Read-only file system",
    "storm, CHECKPOINTS, No space left on device",
    "storm, CHECKPOINTS, Read-only file system",
    "storm, TEMPORARY, No space left on device",
    "storm, TEMPORARY, Read-only file system"
  })
  void endsWithTheFolderAndTheCause(String engine, Place place, String why) throws Exception {
    try (ReplayOnSmallDisks replay = ReplayOnSmallDisks.atStart(folder, engine, place, why)) {
      assertThat(replay.end(replay.start(Map.of()))).isOne();
      assertThat(replay.complaint()).contains(replay.disk().folder().toString(), why);
      if (place == Place.TEMPORARY) {
        assertThat(replay.complaint()).contains("-Djava.io.tmpdir=DIR");
      }
    }
  }

  /** It says that there is no state of its end, which comes from the checkpoints. */
  @ParameterizedTest
  @CsvSource({"No space left on device", "Read-only file system"})
  void oneThreadGoesOnWithoutCheckpoints(String why) throws Exception {
    try (ReplayOnSmallDisks replay =
        ReplayOnSmallDisks.atStart(folder, "serial", Place.CHECKPOINTS, why)) {
      assertThat(replay.end(replay.start(Map.of()))).isOne();
      assertThat(replay.complaint()).contains("run.state", replay.disk().folder().toString());
      replay.checkResults();
    }
  }

  /** But for the recording, which is packed by a library that is unpacked there. */
  @ParameterizedTest
  @CsvSource({"No space left on device", "Read-only file system"})
  void oneThreadNeedsNoTemporaryFolder(String why) throws Exception {
    try (ReplayOnSmallDisks replay =
        ReplayOnSmallDisks.atStart(folder, "serial", Place.TEMPORARY, why)) {
      assertThat(replay.end(replay.start(Map.of()))).isOne();
      assertThat(replay.complaint()).contains("run.mcap", replay.disk().folder().toString());
      replay.checkResults();
    }
  }
}
