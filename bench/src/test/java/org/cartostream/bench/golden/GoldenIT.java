package org.cartostream.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.files.DataSets;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The filter's answers are the frozen ones, by every engine; {@code scripts/golden} does the same.
 */
@Default(computes = true)
class GoldenIT {

  @TempDir private Path folder;

  @Test
  void theAnswersAreTheFrozenOnes() throws Exception {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    Path file = DataSets.root().resolve("datasets/golden.tsv");
    try {
      new GoldenComparison(file, false, folder, out, out, new ShutdownRequest()).run();
    } catch (ExitException e) {
      out.flush();
      throw new AssertionError(printed.toString(), e);
    }
    assertThat(printed.toString()).contains("office", "office-often");
  }
}
