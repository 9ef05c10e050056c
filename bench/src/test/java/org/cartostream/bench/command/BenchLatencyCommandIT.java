package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Nightly
class BenchLatencyCommandIT {

  @TempDir private Path folder;

  private Bench bench(Object... more) {
    Object[] fixed = {"latency", Logs.OFFICE, "--out", folder, "--particles", 8};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  /** The slow task's rows are left out where there is no taskset. */
  @Test
  void noPoseComesLaterThanItsOutcome() throws IOException {
    Bench run = bench("--readings", 30, "--warmups", 5, "--rate", 10, "--tasks", 2);
    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = Files.readAllLines(folder.resolve("bench-latency.csv"));
    assertThat(lines)
        .hasSizeGreaterThanOrEqualTo(3)
        .element(1)
        .asString()
        .startsWith("tasks alike,all,25,0,");
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      for (int i = 4; i < 7; i++) {
        assertThat(Double.parseDouble(cells[i]))
            .isPositive()
            .isLessThanOrEqualTo(Double.parseDouble(cells[i + 3]));
      }
    }
  }

  @Test
  void refusesToCountNothing() {
    assertThat(bench("--readings", 5, "--warmups", 5).complaint()).startsWith("--warmups 5: ");
    assertThat(bench("--rate", 0).complaint()).isEqualTo("--rate 0.0: it must be more than 0");
  }
}
