package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.run.Logs;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** What the measurement of TLS does not take. */
@Quick
class BenchTlsCommandTest {

  @Test
  void refusesToMeasureNothing() {
    Bench bench = Bench.run("tls", Logs.OFFICE, "--passes", 0);
    assertThat(bench.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
    assertThat(bench.complaint()).isEqualTo("--passes 0, --warmups 6: at least 1 and 0 are needed");
  }
}
