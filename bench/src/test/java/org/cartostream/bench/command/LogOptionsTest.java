package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A measurement of nothing is none. */
@Quick
class LogOptionsTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "accuracy --only none, --limit, 0",
    "filter --only none, --limit, -3",
    "recovery none.clf, --limit, 0",
    "collectives --implementations MEMORY --members 1 --operations barrier, --bytes, -5",
    "collectives --implementations MEMORY --bytes 8 --operations barrier, --members, 0",
    "collectives --implementations MEMORY --bytes 8 --members 1, --launches, 0",
    "scale none.clf, --passes, 0"
  })
  void refusesToMeasureNothing(String command, String option, int value) {
    Bench bench = bench(command, option + " " + value);
    assertThat(bench.complaint()).isEqualTo(option + " " + value + ": it must be at least 1");
    assertThat(bench.exitCode()).isEqualTo(ExitException.WRONG_USAGE);
  }

  private Bench bench(String command, String option) {
    String line = command + " --out " + folder + " " + option;
    return Bench.run((Object[]) line.split(" "));
  }
}
