package org.cartostream.bench.scale;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.bench.table.Plot;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;

/**
 * Table of the costs of all cases, as two tables of text, as a CSV file, and as plots over the
 * number of tasks.
 */
public final class ScaleTable {

  private static final String FILE = "bench-scale.csv";
  private static final String SHORT = "%.2f";
  private static final String LONG = "%.3f";

  private static final TextTable<ScaleCost> SCREEN =
      TextTable.of(
          new Column<>("tasks by", -14, row -> row.of().modeName()),
          new Column<>("filter", -16, row -> row.of().variant().name()),
          new Column<>("part.", 5, row -> row.of().particles()),
          new Column<>("tasks", 5, row -> row.of().tasks()),
          new Column<>("serial", 8, SHORT, ScaleCost::serialMillis),
          new Column<>("ms", 8, SHORT, ScaleCost::millis),
          new Column<>("speedup", 7, SHORT, ScaleCost::speedup),
          new Column<>("compute", 8, SHORT, ScaleCost::meanComputeMillis),
          new Column<>("slowest", 8, SHORT, ScaleCost::slowestMillis),
          new Column<>("/mean", 7, SHORT, ScaleCost::slowestOverMean),
          new Column<>("rest", 7, SHORT, ScaleCost::restMillis),
          new Column<>("decide", 7, SHORT, ScaleCost::decideMillis),
          new Column<>("idle", 7, SHORT, ScaleCost::idleMillis),
          new Column<>("GC", 7, SHORT, ScaleCost::collectMillis),
          new Column<>("machine", 7, ScaleCost::machine),
          new Column<>("resam.", 6, ScaleCost::resamplings),
          new Column<>("kB each", 8, "%.1f", ScaleCost::kilobytesPerResampling));

  private static final TextTable<ScaleCost> CSV =
      TextTable.of(
          csv("kind", row -> row.modelled() ? "modelled" : "measured"),
          csv("mode", row -> row.of().mode()),
          csv("transport", row -> row.of().transport()),
          csv("variant", row -> row.of().variant().name()),
          csv("particles", row -> row.of().particles()),
          csv("tasks", row -> row.of().tasks()),
          new Column<>("serial_ms", 0, LONG, ScaleCost::serialMillis),
          new Column<>("ms", 0, LONG, ScaleCost::millis),
          new Column<>("speedup", 0, LONG, ScaleCost::speedup),
          new Column<>("compute_ms", 0, LONG, ScaleCost::meanComputeMillis),
          new Column<>("slowest_ms", 0, LONG, ScaleCost::slowestMillis),
          new Column<>("slowest_over_mean", 0, LONG, ScaleCost::slowestOverMean),
          new Column<>("rest_ms", 0, LONG, ScaleCost::restMillis),
          new Column<>("decide_ms", 0, LONG, ScaleCost::decideMillis),
          new Column<>("idle_p50_ms", 0, SHORT, ScaleCost::idleMillis),
          new Column<>("gc_ms", 0, SHORT, ScaleCost::collectMillis),
          csv("resamplings", ScaleCost::resamplings),
          new Column<>("kB_per_resampling", 0, "%.1f", ScaleCost::kilobytesPerResampling),
          csv("machine", ScaleCost::machine),
          csv("compute_ms_by_task", ScaleTable::computeByTask));

  private static final List<Plot<ScaleCost>> PLOTS =
      List.of(
          plot("scale-time.svg", "ms per reading", ScaleCost::millis),
          plot("scale-speedup.svg", "serial over parallel time", ScaleCost::speedup),
          plot(
              "scale-stragglers.svg",
              "ms per reading: slowest task less the mean",
              ScaleCost::stragglerMillis),
          plot(
              "scale-rest.svg",
              "ms per reading in which the mean task does not compute",
              ScaleCost::restMillis),
          plot("scale-decide.svg", "ms per reading: deciding", ScaleCost::decideMillis));

  private final List<ScaleCost> rows = new ArrayList<>();

  void add(ScaleCost figures) {
    rows.add(figures);
  }

  /** Prints the measured rows or the modelled ones, under a heading that says which. */
  public void print(PrintWriter out, boolean modelled) {
    List<ScaleCost> shown = rows.stream().filter(row -> row.modelled() == modelled).toList();
    if (!shown.isEmpty()) {
      out.println(modelled ? "MODELLED, ms per reading:" : "measured, ms per reading:");
      SCREEN.print(out, shown);
      out.println();
    }
  }

  /** Writes the figures and the plots, and returns the files. */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(CSV.writeCsv(folder.resolve(FILE), rows));
    for (Plot<ScaleCost> plot : PLOTS) {
      plot.write(folder, rows, "tasks", row -> row.of().tasks(), ScaleTable::name)
          .ifPresent(files::add);
    }
    return files;
  }

  private static String name(ScaleCost row) {
    return row.of().name() + (row.modelled() ? ", modelled" : "");
  }

  private static String computeByTask(ScaleCost row) {
    return row.computeMillis().stream()
        .map(millis -> String.format(Locale.ROOT, SHORT, millis))
        .collect(Collectors.joining(" "));
  }

  private static Column<ScaleCost> csv(String title, Function<ScaleCost, Object> cell) {
    return new Column<>(title, 0, cell);
  }

  private static Plot<ScaleCost> plot(
      String file, String title, ToDoubleFunction<ScaleCost> figure) {
    return new Plot<>(file, title, row -> MeanAndRange.single(figure.applyAsDouble(row)));
  }
}
