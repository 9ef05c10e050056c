package org.cartostream.bench.collectives;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.bench.table.Plot;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.collectives.operation.Operation;

/** Table of the costs of collectives, as text, as a CSV file, and as a plot for each operation. */
public final class CollectivesTable {

  private static final String FILE = "bench-collectives.csv";

  private static final TextTable<CollectiveCost> CSV =
      TextTable.of(
          new Column<>("operation", 0, row -> row.collectiveCase().operation()),
          new Column<>("algorithm", 0, CollectivesTable::algorithm),
          new Column<>("bytes", 0, row -> row.collectiveCase().bytes()),
          new Column<>("members", 0, CollectiveCost::members),
          new Column<>("channel", 0, row -> row.implementation().channel()),
          new Column<>("place", 0, row -> row.implementation().place()),
          csv("alone_p50_us", CollectiveCost::aloneMicros),
          csv("alone_p90_us", CollectiveCost::aloneP90Micros),
          csv("row_p50_us", CollectiveCost::rowMicros),
          csv("row_min_us", CollectiveCost::minRowMicros),
          csv("row_max_us", CollectiveCost::maxRowMicros),
          csv("row_cpu_us", CollectiveCost::rowCpuMicros),
          csv("MB_per_s", CollectiveCost::megabytesPerSecond));

  private final TextTable<CollectiveCost> screen =
      TextTable.of(
          new Column<>("operation", -10, row -> row.collectiveCase().operation()),
          new Column<>("algorithm", -9, CollectivesTable::algorithm),
          new Column<>("bytes", 8, row -> row.collectiveCase().bytes()),
          new Column<>("members", 7, CollectiveCost::members),
          new Column<>("channel", -11, row -> row.implementation().channel()),
          new Column<>("in", -7, row -> row.implementation().place()),
          new Column<>("alone us", 10, row -> number(row.aloneMicros())),
          new Column<>("p90 us", 10, row -> number(row.aloneP90Micros())),
          new Column<>("in row us", 10, row -> number(row.rowMicros())),
          new Column<>(
              "least-most",
              21,
              row -> number(row.minRowMicros()) + "-" + number(row.maxRowMicros())),
          new Column<>("cpu us", 8, row -> number(row.rowCpuMicros())),
          new Column<>("MB/s", 9, row -> number(row.megabytesPerSecond())),
          new Column<>("MPJ/it", 7, this::ratio));

  private final List<CollectiveCost> rows = new ArrayList<>();

  public void add(List<CollectiveCost> collectiveCost) {
    rows.addAll(collectiveCost);
  }

  public void print(PrintWriter out) {
    screen.print(out, rows);
  }

  /**
   * Returns how many times longer MPJ Express takes for the same case, alone, with members in
   * threads or JVMs alike; null if that was not measured.
   */
  private String ratio(CollectiveCost row) {
    return row.implementation().isMpj()
        ? ""
        : rows.stream()
            .filter(other -> other.implementation().isMpj() && other.members() == row.members())
            .filter(other -> other.implementation().place().equals(row.implementation().place()))
            .filter(other -> other.collectiveCase().operation() == row.collectiveCase().operation())
            .filter(other -> other.collectiveCase().bytes() == row.collectiveCase().bytes())
            .findFirst()
            .map(other -> number(other.aloneMicros() / row.aloneMicros()))
            .orElse(null);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  private static String algorithm(CollectiveCost row) {
    return row.implementation().isMpj() ? "its own" : row.collectiveCase().algorithm().toString();
  }

  private static Column<CollectiveCost> csv(String title, ToDoubleFunction<CollectiveCost> micros) {
    return new Column<>(title, 0, "%.1f", micros::applyAsDouble);
  }

  /**
   * Writes a CSV file, and plots of the time in a row over the number of members, with whiskers
   * from the fastest block to the slowest; returns the files.
   */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(CSV.writeCsv(folder.resolve(FILE), rows));
    for (Operation operation : Operation.values()) {
      List<CollectiveCost> its =
          rows.stream().filter(row -> row.collectiveCase().operation() == operation).toList();
      for (int bytes :
          its.stream().map(row -> row.collectiveCase().bytes()).distinct().sorted().toList()) {
        new Plot<CollectiveCost>(
                operation + "-" + bytes + ".svg",
                operation + " of " + bytes + " bytes, us in a row",
                CollectivesTable::inRow)
            .write(
                folder,
                its.stream().filter(row -> row.collectiveCase().bytes() == bytes).toList(),
                "members",
                CollectiveCost::members,
                CollectivesTable::name)
            .ifPresent(files::add);
      }
    }
    return files;
  }

  private static MeanAndRange inRow(CollectiveCost row) {
    return new MeanAndRange(row.rowMicros(), row.minRowMicros(), row.maxRowMicros());
  }

  private static String name(CollectiveCost row) {
    String channel = row.implementation().channel() + ", " + row.implementation().place();
    return row.implementation().isMpj() ? channel : channel + ", " + algorithm(row);
  }
}
