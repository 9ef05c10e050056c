package org.cartostream.cli.command;

import java.nio.file.Path;
import java.util.List;
import org.cartostream.deploy.artefact.Artefacts;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The gateway of the robots' arm64 package on an emulated processor, and a service on this one: the
 * map is the serial filter's of the readings that crossed the broker.
 */
@Nightly
class ArmGatewayIT {

  private static final int READINGS = 100;

  @TempDir private Path folder;

  @Test
  void sendsTheOfficeToAService() throws Exception {
    List<String> arm = Artefacts.onArm(folder.resolve("root"), "cartostream-gateway");
    try (DrivingRobot robot = DrivingRobot.withServiceElsewhere(folder)) {
      robot.service("service");
      // It is slow: odometry may be there long after its scan.
      Process gateway = robot.gatewayBy(arm, "gateway", "--set", "ros.odometryWaitMillis=60000");
      robot.drive(0);
      robot.until(() -> robot.sent().all().size() >= READINGS);
      robot.checkMapped(robot.end(gateway, "gateway"));
    }
  }
}
