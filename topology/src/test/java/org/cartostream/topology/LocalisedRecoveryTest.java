package org.cartostream.topology;

import java.util.List;
import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same schedules for robots of which some are localised; r2 maps. */
@Quick
class LocalisedRecoveryTest extends RecoverySchedules {

  private static final int SCHEDULES = 8;

  private static boolean maps(String robot) {
    return robot.equals("r2");
  }

  @Override
  ServiceSettings service(int tasks, String... topology) {
    return LocalisedRuns.few(settings(tasks, topology));
  }

  @Override
  Envelope sent(String robot, long sequence, List<Reading> readings) {
    return maps(robot)
        ? super.sent(robot, sequence, readings)
        : LocalisedRuns.sent(robot, sequence, readings);
  }

  @Override
  void assertAnswered(ServiceSettings settings, String robot, List<Reading> readings) {
    if (maps(robot)) {
      super.assertAnswered(settings, robot, readings);
    } else {
      LocalisedRuns.assertAnswered(of(robot), settings, robot, readings);
    }
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void whateverDiesAndIsLostTheAnswerIsTheUndisturbedOne(String mode, int tasks) {
    assertUndisturbed(mode, tasks, 5000 * tasks, SCHEDULES);
  }
}
