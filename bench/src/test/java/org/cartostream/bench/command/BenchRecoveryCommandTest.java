package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.run.Logs;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class BenchRecoveryCommandTest {

  @Test
  void refusesWhatCannotBeKilled() {
    Bench run = Bench.run("recovery", Logs.OFFICE, "--cells", "broker,spout");
    assertThat(run.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(run.complaint())
        .contains("'spout' cannot be killed; what can is: dispatcher, publisher, ")
        .contains("everything");
  }
}
