package org.cartostream.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class TextTableTest {

  private record Row(String log, Double metres) {}

  private static final TextTable<Row> TABLE =
      TextTable.of(
          new Column<>("log", -6, Row::log), new Column<>("ATE m", 8, "%.2f", Row::metres));

  private static final List<Row> ROWS = List.of(new Row("aces", 1.005), new Row("intel", null));

  @Test
  void columnsAreAlignedAndAFigureThatIsMissingIsADash() {
    StringWriter out = new StringWriter();
    TABLE.print(new PrintWriter(out), ROWS);
    assertThat(out.toString().lines())
        .containsExactly("log       ATE m", "aces       1.01", "intel         -");
  }

  @Test
  void inAFileItIsEmpty(@TempDir Path folder) throws IOException {
    assertThat(TABLE.writeCsv(folder.resolve("table.csv"), ROWS))
        .hasContent("log,ATE m\naces,1.01\nintel,");
  }
}
