package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the measurement of collectives refuses. */
@Quick
class BenchCollectivesCommandTest {

  @TempDir private Path folder;

  private Bench bench(String... more) {
    Object[] fixed = {"collectives", "--out", folder, "--launches", 1, "--members", 2};
    Object[] all = new Object[fixed.length + more.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(more, 0, all, fixed.length, more.length);
    return Bench.run(all);
  }

  @Test
  void refusesWhatIsNoOperation() {
    assertThat(bench("--operations", "shuffle").complaint()).contains("shuffle");
    assertThat(bench("--algorithms", "star").complaint()).contains("doubling");
  }
}
