package org.cartostream.bench.scale;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.cartostream.bench.table.LinePlot;

/** What more tasks give: two tables, a CSV file, and plots over the number of tasks. */
public final class ScaleTable {

  private static final String FILE = "bench-scale.csv";
  private static final String HEAD =
      "kind,mode,carrier,variant,particles,tasks,serial_ms,ms,speedup,compute_ms,slowest_ms,"
          + "slowest_over_mean,rest_ms,decide_ms,idle_p50_ms,gc_ms,resamplings,"
          + "kB_per_resampling,compute_ms_by_task";
  private static final String ROW =
      "%-14s %-16s %5s %5s %8s %8s %7s %8s %8s %7s %7s %7s %7s %7s %6s %8s";

  /** What is plotted, and as what. */
  private record Plotted(String file, String title, ToDoubleFunction<ScaleCost> figure) {}

  private static final List<Plotted> PLOTS =
      List.of(
          new Plotted("scale-time.svg", "ms per reading", ScaleCost::millis),
          new Plotted("scale-speedup.svg", "serial over parallel time", ScaleCost::speedup),
          new Plotted(
              "scale-stragglers.svg",
              "ms per reading: slowest task less the mean",
              ScaleCost::stragglerMillis),
          new Plotted(
              "scale-rest.svg",
              "ms per reading in which the mean task does not compute",
              ScaleCost::restMillis),
          new Plotted("scale-decide.svg", "ms per reading: deciding", ScaleCost::decideMillis));

  private final List<ScaleCost> rows = new ArrayList<>();

  void add(ScaleCost figures) {
    rows.add(figures);
  }

  /** The measured rows or the modelled ones, under a heading that says which. */
  public void print(PrintWriter out, boolean modelled) {
    List<ScaleCost> shown = rows.stream().filter(row -> row.modelled() == modelled).toList();
    if (shown.isEmpty()) {
      return;
    }
    out.println(modelled ? "MODELLED, ms per reading:" : "measured, ms per reading:");
    line(
        out,
        "tasks by",
        "filter",
        "part.",
        "tasks",
        "serial",
        "ms",
        "speedup",
        "compute",
        "slowest",
        "/mean",
        "rest",
        "decide",
        "idle",
        "GC",
        "resam.",
        "kB each");
    shown.forEach(row -> line(out, cells(row)));
    out.println();
  }

  private static Object[] cells(ScaleCost row) {
    return new Object[] {
      row.of().modeName(),
      row.of().variant().name(),
      row.of().particles(),
      row.of().tasks(),
      number(row.serialMillis()),
      number(row.millis()),
      number(row.speedup()),
      number(row.meanComputeMillis()),
      number(row.slowestMillis()),
      number(row.slowestOverMean()),
      number(row.restMillis()),
      number(row.decideMillis()),
      row.idleMillis() == null ? "-" : number(row.idleMillis()),
      row.collectMillis() == null ? "-" : number(row.collectMillis()),
      row.resamplings(),
      String.format(Locale.ROOT, "%.1f", row.kilobytesPerResampling())
    };
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  private static void line(PrintWriter out, Object... cells) {
    out.println(String.format(Locale.ROOT, ROW, cells).stripTrailing());
  }

  /** Writes the figures and the plots, and returns the files. */
  public List<Path> write(Path folder) throws IOException {
    List<Path> files = new ArrayList<>();
    files.add(folder.resolve(FILE));
    List<String> lines = new ArrayList<>(List.of(HEAD));
    rows.forEach(row -> lines.add(csv(row)));
    Files.write(files.get(0), lines);
    for (Plotted plotted : PLOTS) {
      plot(plotted).write(folder.resolve(plotted.file)).ifPresent(files::add);
    }
    return files;
  }

  private static String csv(ScaleCost row) {
    return String.format(
        Locale.ROOT,
        "%s,%s,%s,%s,%d,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%s,%s,%d,%.1f,%s",
        row.modelled() ? "modelled" : "measured",
        row.of().mode(),
        row.of().carrier() == null ? "" : row.of().carrier(),
        row.of().variant().name(),
        row.of().particles(),
        row.of().tasks(),
        row.serialMillis(),
        row.millis(),
        row.speedup(),
        row.meanComputeMillis(),
        row.slowestMillis(),
        row.slowestOverMean(),
        row.restMillis(),
        row.decideMillis(),
        row.idleMillis() == null ? "" : number(row.idleMillis()),
        row.collectMillis() == null ? "" : number(row.collectMillis()),
        row.resamplings(),
        row.kilobytesPerResampling(),
        row.computeMillis().stream().map(ScaleTable::number).collect(Collectors.joining(" ")));
  }

  private LinePlot plot(Plotted plotted) {
    Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
    for (ScaleCost row : rows) {
      double value = plotted.figure.applyAsDouble(row);
      if (value > 0) {
        lines
            .computeIfAbsent(
                row.of().name() + (row.modelled() ? ", modelled" : ""), each -> new ArrayList<>())
            .add(new LinePlot.Point(row.of().tasks(), value, value, value));
      }
    }
    return new LinePlot(plotted.title, "tasks", lines);
  }
}
