package org.cartostream.topology;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Some schedules of each kind; there are more in {@link RecoveryAccuracyTest}. */
@Quick
class RecoveryTest extends RecoverySchedules {

  private static final int SCHEDULES = 10;

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 3", "bsp, 2", "bsp, 3"})
  void whateverDiesAndIsLostTheAnswerIsTheUndisturbedOne(String mode, int tasks) {
    assertUndisturbed(mode, tasks, 1000 * tasks, SCHEDULES);
  }

  /** The parts of the last checkpoint cannot be stored: the robot has its result all the same. */
  @Test
  void aRunEndsThoughItsLastCheckpointFails() {
    assertUndisturbed("dataflow", 4, 4000253, 1);
  }
}
