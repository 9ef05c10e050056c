package org.cartostream.bench.table;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Table of figures: printed for people in columns of fixed width, or written as a CSV file.
 *
 * @param <R> type of a row
 * @param columns columns from left to right
 */
public record TextTable<R>(List<Column<R>> columns) {

  /**
   * Column of a table.
   *
   * @param <R> type of a row
   * @param title heading of the column
   * @param width width in characters; less than 0 to align cells to the left; without a meaning in
   *     CSV
   * @param format format of a cell, as {@code %.2f}
   * @param cell gives a row's figure; null if that is not there
   */
  public record Column<R>(String title, int width, String format, Function<R, Object> cell) {

    /** Creates a column of words or whole numbers. */
    public Column(String title, int width, Function<R, Object> cell) {
      this(title, width, "%s", cell);
    }

    private String text(R row, String missing) {
      Object value = cell.apply(row);
      return value == null ? missing : String.format(Locale.ROOT, format, value);
    }

    private String padded(String text) {
      return String.format("%" + width + "s", text);
    }
  }

  @SafeVarargs
  public static <R> TextTable<R> of(Column<R>... columns) {
    return new TextTable<>(List.of(columns));
  }

  /** Prints the heading and the rows. */
  public void print(PrintWriter out, List<R> rows) {
    printHeader(out);
    rows.forEach(row -> printRow(out, row));
  }

  public void printHeader(PrintWriter out) {
    print(out, Column::title);
  }

  /** Prints one row, with {@code -} for a figure that is not there. */
  public void printRow(PrintWriter out, R row) {
    print(out, column -> column.text(row, "-"));
  }

  private void print(PrintWriter out, Function<Column<R>, String> text) {
    out.println(
        columns.stream()
            .map(column -> column.padded(text.apply(column)))
            .collect(Collectors.joining(" "))
            .stripTrailing());
    out.flush();
  }

  /** Writes a CSV file, in which a figure that is not there is empty, and returns it. */
  public Path writeCsv(Path file, List<R> rows) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(columns.stream().map(Column::title).collect(Collectors.joining(",")));
    for (R row : rows) {
      lines.add(
          columns.stream().map(column -> column.text(row, "")).collect(Collectors.joining(",")));
    }
    return Files.write(file, lines);
  }
}
