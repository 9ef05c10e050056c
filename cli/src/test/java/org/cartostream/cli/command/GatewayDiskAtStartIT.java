package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.SmallDisk;
import org.cartostream.cli.command.ReplayOnSmallDisks.Place;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway of a live robot one of whose folders can take nothing from the beginning. */
@Nightly
@Timeout(300)
class GatewayDiskAtStartIT {

  @TempDir private Path folder;

  /** Before it looks for the robot. */
  @ParameterizedTest
  @CsvSource({
    "OUTPUT, No space left on device, --out DIR",
    "OUTPUT, Read-only file system, --out DIR",
    "CHECKPOINTS, No space left on device, --out DIR",
    "CHECKPOINTS, Read-only file system, --out DIR",
    "TEMPORARY, No space left on device, -Djava.io.tmpdir=DIR",
    "TEMPORARY, Read-only file system, -Djava.io.tmpdir=DIR"
  })
  void aGatewayEndsWithTheFolderAndTheCause(Place place, String why, String cure) throws Exception {
    try (ReplayOnSmallDisks disks = ReplayOnSmallDisks.atStart(folder, "storm", place, why)) {
      Process gateway = disks.startGateway("--ros", "http://127.0.0.1:9");
      assertThat(disks.end(gateway)).isOne();
      assertThat(disks.complaint()).contains(disks.disk().folder().toString(), why, cure);
    }
  }

  /** Of a service in the gateway's process; the run's journal is elsewhere. */
  @Test
  void aGatewayEndsWithTheFolderThatIsNamedForCheckpoints() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("checkpoints"), "size=64k,ro")) {
      Cartostream gateway =
          Cartostream.run(
              "gateway",
              "--robot",
              "r1",
              "--ros",
              "http://127.0.0.1:9",
              "--out",
              folder.resolve("r1"),
              "--set",
              "checkpoint.folder=" + disk.folder());
      assertThat(gateway.exitCode()).isOne();
      assertThat(gateway.complaint())
          .contains(
              disk.folder().toString(),
              ReplayOnSmallDisks.READ_ONLY,
              "checkpoint.folder=DIR names another");
    }
  }
}
