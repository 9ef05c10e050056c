package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.cartostream.cli.StoppedProcess;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gateway with its service in one process that stands for a while as its robot drives on: path
 * and map are those of one thread over the readings that were sent.
 */
@Nightly
@Timeout(300)
class StoppedGatewayIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {5, 20, 60})
  void goesOn(int seconds) throws Exception {
    try (DrivingRobot robot = DrivingRobot.withOwnService(folder)) {
      Path old = Files.createDirectories(robot.out()).resolve("run.mcap");
      Files.writeString(old, "of an older run");
      Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
      Process gateway = robot.gateway("one", DrivingRobot.withService());
      robot.drive(0);
      robot.untilSomewhere();
      StoppedProcess.stop(gateway, seconds);
      robot.untilSomewhere();
      robot.checkMapped(robot.end(gateway, "one"));
      assertThat(old).doesNotExist();
    }
  }
}
