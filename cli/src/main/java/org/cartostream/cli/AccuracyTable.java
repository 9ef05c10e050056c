package org.cartostream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The reports of many runs, by log: each log and number of particles is a row, its figures are
 * means over the seeds.
 */
final class AccuracyTable {

  private static final int LEAST_LOG_COLUMNS = 20;
  private static final String ROW = " %5s %5s %7s %13s %8s %8s %13s %9s %9s %9s %8s";

  private final Map<String, List<Report>> reports = new LinkedHashMap<>();

  void add(String log, Report report) {
    reports.computeIfAbsent(log, each -> new ArrayList<>()).add(report);
  }

  void print(PrintWriter out) {
    int longest = reports.keySet().stream().mapToInt(String::length).max().orElse(0);
    String row = "%-" + Math.max(LEAST_LOG_COLUMNS, longest) + "s" + ROW;
    line(
        out,
        row,
        "log",
        "part.",
        "seeds",
        "ATE m",
        "range",
        "loop p50",
        "loop p95",
        "range",
        "rel. m",
        "rel.>60s",
        "at poses",
        "ms/read.");
    reports.forEach(
        (log, runs) ->
            runs.stream()
                .collect(
                    Collectors.groupingBy(Report::particles, TreeMap::new, Collectors.toList()))
                .forEach((particles, same) -> line(out, row, cells(log, particles, same))));
    reports.forEach((log, runs) -> runs.forEach(run -> sayWhatIsMissing(out, log, run)));
  }

  private static void sayWhatIsMissing(PrintWriter out, String log, Report run) {
    if (run.accuracy() != null) {
      run.accuracy()
          .unmeasured()
          .forEach(
              why ->
                  line(
                      out,
                      "%s, %d particles, seed %d, unmeasured: %s",
                      log,
                      run.particles(),
                      run.seed(),
                      why));
    }
  }

  /** Writes every report and returns the file. */
  Path write(Path file) throws IOException {
    Report.json().writeValue(file.toFile(), reports);
    return file;
  }

  private static Object[] cells(String log, int particles, List<Report> runs) {
    Spread ate = spread(runs, Accuracy::ateMetres);
    Spread loopP95 = spread(runs, Accuracy::loopP95Metres);
    return new Object[] {
      log,
      particles,
      runs.size(),
      Spread.mean(ate),
      Spread.range(ate),
      Spread.mean(spread(runs, Accuracy::loopMedianMetres)),
      Spread.mean(loopP95),
      Spread.range(loopP95),
      Spread.mean(spread(runs, Accuracy::relationsMetres)),
      Spread.mean(spread(runs, Accuracy::distantRelationsMetres)),
      Spread.mean(spread(runs, Accuracy::relationsAtPosesMetres)),
      Spread.mean(Spread.of(runs, run -> run.millisPerReading().mean()))
    };
  }

  /** A metric over runs; null where one was not measured. */
  static Spread spread(List<Report> runs, Function<Accuracy, Double> metric) {
    return Spread.of(runs, run -> run.accuracy() == null ? null : metric.apply(run.accuracy()));
  }

  private static void line(PrintWriter out, String row, Object... cells) {
    out.println(String.format(Locale.ROOT, row, cells));
  }
}
