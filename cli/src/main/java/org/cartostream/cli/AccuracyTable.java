package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The reports of many runs, by log: each log is a row, its figures are means over the seeds. */
final class AccuracyTable {

  private static final String FILE = "accuracy.json";
  private static final String ROW = "%-12s %9s %5s %8s %8s %8s %8s %9s %9s";

  private final Map<String, List<Report>> reports = new LinkedHashMap<>();

  void add(String log, Report report) {
    reports.computeIfAbsent(log, each -> new ArrayList<>()).add(report);
  }

  void print(PrintWriter out) {
    line(
        out,
        "log",
        "particles",
        "seeds",
        "ATE m",
        "worst m",
        "loop p50",
        "loop p95",
        "ms/read.",
        "wall s");
    reports.forEach((log, runs) -> line(out, row(log, runs)));
  }

  /** Writes every report and returns the file. */
  Path write(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    Report.json().writeValue(file.toFile(), reports);
    return file;
  }

  private static Object[] row(String log, List<Report> runs) {
    return new Object[] {
      log,
      runs.get(0).particles(),
      runs.size(),
      mean(runs, run -> accuracy(run, Accuracy::ateMetres)),
      worst(runs),
      mean(runs, run -> accuracy(run, Accuracy::loopMedianMetres)),
      mean(runs, run -> accuracy(run, Accuracy::loopP95Metres)),
      mean(runs, run -> run.millisPerReading().mean()),
      mean(runs, Report::wallSeconds)
    };
  }

  private static Double accuracy(Report run, Function<Accuracy, Double> metric) {
    return run.accuracy() == null ? null : metric.apply(run.accuracy());
  }

  private static String mean(List<Report> runs, Function<Report, Double> figure) {
    List<Double> values = runs.stream().map(figure).filter(Objects::nonNull).toList();
    return values.size() < runs.size()
        ? "-"
        : number(values.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
  }

  private static String worst(List<Report> runs) {
    return runs.stream()
        .map(run -> accuracy(run, Accuracy::ateMetres))
        .filter(Objects::nonNull)
        .max(Double::compare)
        .map(AccuracyTable::number)
        .orElse("-");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  private static void line(PrintWriter out, Object... cells) {
    out.println(String.format(Locale.ROOT, ROW, cells));
  }
}
