package org.cartostream.bench.accuracy;

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
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.report.RunReport;

/**
 * The reports of many runs, by log: each log and number of particles is a row, its figures are
 * means over the seeds.
 */
public final class AccuracyTable {

  private static final int LEAST_LOG_COLUMNS = 20;
  private static final String ROW = " %5s %5s %7s %13s %8s %8s %13s %9s %9s %9s %8s";

  private final Map<String, List<RunReport>> reports = new LinkedHashMap<>();

  public void add(String log, RunReport runReport) {
    reports.computeIfAbsent(log, each -> new ArrayList<>()).add(runReport);
  }

  public void print(PrintWriter out) {
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
                    Collectors.groupingBy(RunReport::particles, TreeMap::new, Collectors.toList()))
                .forEach((particles, same) -> line(out, row, cells(log, particles, same))));
    reports.forEach((log, runs) -> runs.forEach(run -> printUnmeasured(out, log, run)));
  }

  private static void printUnmeasured(PrintWriter out, String log, RunReport run) {
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
  public Path write(Path file) throws IOException {
    RunReport.json().writeValue(file.toFile(), reports);
    return file;
  }

  private static Object[] cells(String log, int particles, List<RunReport> runs) {
    MeanAndRange ate = spread(runs, Accuracy::ateMetres);
    MeanAndRange loopP95 = spread(runs, Accuracy::loopP95Metres);
    return new Object[] {
      log,
      particles,
      runs.size(),
      MeanAndRange.mean(ate),
      MeanAndRange.range(ate),
      MeanAndRange.mean(spread(runs, Accuracy::loopMedianMetres)),
      MeanAndRange.mean(loopP95),
      MeanAndRange.range(loopP95),
      MeanAndRange.mean(spread(runs, Accuracy::relationsMetres)),
      MeanAndRange.mean(spread(runs, Accuracy::distantRelationsMetres)),
      MeanAndRange.mean(spread(runs, Accuracy::relationsAtPosesMetres)),
      MeanAndRange.mean(MeanAndRange.of(runs, run -> run.millisPerReading().mean()))
    };
  }

  /** A metric over runs; null where one was not measured. */
  public static MeanAndRange spread(List<RunReport> runs, Function<Accuracy, Double> metric) {
    return MeanAndRange.of(
        runs, run -> run.accuracy() == null ? null : metric.apply(run.accuracy()));
  }

  private static void line(PrintWriter out, String row, Object... cells) {
    out.println(String.format(Locale.ROOT, row, cells));
  }
}
