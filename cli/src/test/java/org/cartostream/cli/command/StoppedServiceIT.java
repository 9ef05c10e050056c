package org.cartostream.cli.command;

import java.nio.file.Path;
import org.cartostream.cli.StoppedProcess;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A service that stands for a while as a gateway elsewhere goes on: path and map are those of one
 * thread over the readings that were sent.
 */
@Nightly
@Timeout(300)
class StoppedServiceIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {5, 20, 60})
  void goesOn(int seconds) throws Exception {
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      Process service = robot.service("service");
      Process gateway = robot.gateway("one");
      robot.drive(0);
      robot.untilSomewhere();
      StoppedProcess.stop(service, seconds);
      robot.untilSomewhere();
      robot.checkMapped(robot.end(gateway, "one"));
    }
  }
}
