package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.cli.SmallDisk;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All folders of a replay are full for a minute of its way, each on a disk of its own. */
@Nightly(computes = true)
@Timeout(300)
class LongFullDiskIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"serial", "storm"})
  void goesOn(String engine) throws Exception {
    try (ReplayOnSmallDisks replay =
        new ReplayOnSmallDisks(folder, engine, "", Place.values()).lastingLong()) {
      Process process = replay.start(Map.of());
      replay.progress().untilSomewhere(process);
      for (SmallDisk each : replay.disks()) {
        each.fill();
      }
      boolean ended = process.waitFor(1, TimeUnit.MINUTES);
      assertThat(ended).as("ended meanwhile: %s", replay.said()).isFalse();
      for (SmallDisk each : replay.disks()) {
        each.makeRoom();
      }
      replay.progress().untilALaterCheckpoint(process);
      assertThat(replay.end(process)).isOne();
      assertThat(replay.complaint()).contains("run.mcap").doesNotContain("run.state");
      replay.checkResults();
    }
  }
}
