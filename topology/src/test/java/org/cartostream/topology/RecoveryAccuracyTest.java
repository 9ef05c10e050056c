package org.cartostream.topology;

import org.cartostream.testing.Nightly;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 200 schedules, none of which {@link RecoveryTest} has; another first seed gives others. */
@Nightly(computes = true)
class RecoveryAccuracyTest extends RecoverySchedules {

  private static final int SCHEDULES = Integer.getInteger("cartostream.schedules", 50);
  private static final int FIRST_SEED = Integer.getInteger("cartostream.seed", 1_000_000);

  @ParameterizedTest
  @CsvSource({"dataflow, 2", "dataflow, 4", "bsp, 2", "bsp, 4"})
  void whateverDiesAndIsLostTheAnswerIsTheUndisturbedOne(String mode, int tasks) {
    assertUndisturbed(mode, tasks, FIRST_SEED, SCHEDULES);
  }
}
