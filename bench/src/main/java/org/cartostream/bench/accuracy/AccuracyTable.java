package org.cartostream.bench.accuracy;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cartostream.bench.table.MeanAndRange;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.report.RunReport;
import org.cartostream.slam.eval.RelationsError.Summary;

/**
 * Table of the accuracy of many runs. Each log and number of particles has a row of means over the
 * seeds.
 */
public final class AccuracyTable {

  private static final int MIN_LOG_COLUMNS = 20;

  private final Map<String, List<RunReport>> reports = new LinkedHashMap<>();

  /** Runs of one log that differ in nothing but the seed. */
  private record Row(String log, List<RunReport> runs) {

    private MeanAndRange of(Function<Accuracy, ? extends Number> metric) {
      return spread(runs, metric);
    }
  }

  public void add(String log, RunReport runReport) {
    reports.computeIfAbsent(log, each -> new ArrayList<>()).add(runReport);
  }

  public void print(PrintWriter out) {
    List<Row> rows = new ArrayList<>();
    reports.forEach(
        (log, runs) ->
            runs.stream()
                .collect(
                    Collectors.groupingBy(RunReport::particles, TreeMap::new, Collectors.toList()))
                .values()
                .forEach(same -> rows.add(new Row(log, same))));
    screen().print(out, rows);
    reports.forEach((log, runs) -> runs.forEach(run -> printUnmeasured(out, log, run)));
  }

  private TextTable<Row> screen() {
    int longest = reports.keySet().stream().mapToInt(String::length).max().orElse(0);
    return TextTable.of(
        new Column<>("log", -Math.max(MIN_LOG_COLUMNS, longest), Row::log),
        new Column<>("part.", 5, row -> row.runs().get(0).particles()),
        new Column<>("seeds", 5, row -> row.runs().size()),
        mean("ATE m", 7, row -> row.of(Accuracy::ateMetres)),
        range(row -> row.of(Accuracy::ateMetres)),
        mean("live m", 7, row -> row.of(in(Accuracy::live, Accuracy.Live::ateMetres))),
        range(row -> row.of(in(Accuracy::live, Accuracy.Live::ateMetres))),
        mean("corr.", 7, row -> row.of(in(Accuracy::live, live -> live.moves().corrections()))),
        mean(
            "corr. m",
            7,
            row -> row.of(in(Accuracy::live, live -> live.moves().largestCorrectionMetres()))),
        mean("loop p50", 8, row -> row.of(Accuracy::loopMedianMetres)),
        mean("loop p95", 8, row -> row.of(Accuracy::loopP95Metres)),
        range(row -> row.of(Accuracy::loopP95Metres)),
        mean("rel. m", 9, row -> row.of(in(Accuracy::relations, Summary::meanMetres))),
        mean("rel.>60s", 9, row -> row.of(in(Accuracy::distantRelations, Summary::meanMetres))),
        mean("at poses", 9, row -> row.of(in(Accuracy::relationsAtPoses, Summary::meanMetres))),
        mean(
            "ms/read.",
            8,
            row -> MeanAndRange.of(row.runs(), run -> run.millisPerReading().mean())));
  }

  private static Column<Row> mean(String title, int width, Function<Row, MeanAndRange> figure) {
    return new Column<>(title, width, row -> MeanAndRange.mean(figure.apply(row)));
  }

  private static Column<Row> range(Function<Row, MeanAndRange> figure) {
    return new Column<>("range", 13, row -> MeanAndRange.range(figure.apply(row)));
  }

  /**
   * Returns a metric of one part of a run's accuracy; the metric is null where that part was not
   * measured.
   */
  public static <T> Function<Accuracy, Number> in(
      Function<Accuracy, T> part, Function<T, ? extends Number> metric) {
    return accuracy -> {
      T measured = part.apply(accuracy);
      return measured == null ? null : metric.apply(measured);
    };
  }

  private static void printUnmeasured(PrintWriter out, String log, RunReport run) {
    if (run.accuracy() != null) {
      run.accuracy()
          .unmeasured()
          .forEach(
              why ->
                  out.println(
                      "%s, %d particles, seed %d, unmeasured: %s"
                          .formatted(log, run.particles(), run.seed(), why)));
    }
  }

  /** Writes every report and returns the file. */
  public Path write(Path file) throws IOException {
    RunReport.json().writeValue(file.toFile(), reports);
    return file;
  }

  /** Returns mean and range of a metric over several runs; null where a run lacks the metric. */
  public static MeanAndRange spread(
      List<RunReport> runs, Function<Accuracy, ? extends Number> metric) {
    return MeanAndRange.of(
        runs, run -> run.accuracy() == null ? null : metric.apply(run.accuracy()));
  }
}
