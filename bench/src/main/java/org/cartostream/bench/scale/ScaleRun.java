package org.cartostream.bench.scale;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.run.report.RunReport;
import org.cartostream.run.report.TaskBalanceReport;

/**
 * Result of all passes of a case. The first pass is cold, as the virtual machine still compiles,
 * and does not count if there are others. Of the others the median pass counts, as a whole; of an
 * even number the faster one in the middle. (The least time of each reading in any pass would
 * flatter tasks that work ahead: what they do for a reading in one pass they do before it in
 * another.)
 *
 * @param passes reports of the passes in their order, at least one
 */
record ScaleRun(List<RunReport> passes) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** Returns the result of one pass. */
  static ScaleRun of(RunReport runReport) {
    return new ScaleRun(List.of(runReport));
  }

  /** Returns a copy with further passes of the same case. */
  ScaleRun plus(ScaleRun later) {
    return new ScaleRun(Stream.concat(passes.stream(), later.passes.stream()).toList());
  }

  /** Returns the report of the pass that counts. */
  RunReport report() {
    return median(passes, ScaleRun::millis);
  }

  /** Returns the median pass of anything that was measured in passes, by the rule of this class. */
  static <T> T median(List<T> passes, ToDoubleFunction<T> figure) {
    List<T> warm =
        passes.stream()
            .skip(passes.size() > 1 ? 1 : 0)
            .sorted(Comparator.comparingDouble(figure))
            .toList();
    return warm.get((warm.size() - 1) / 2);
  }

  /**
   * Returns the median of one figure for each pass; of an even number, the lesser in the middle.
   */
  static double median(List<Double> passes) {
    return median(passes, Double::doubleValue);
  }

  /** Returns the mean time of a reading in the pass that counts, milliseconds. */
  double millis() {
    return millis(report());
  }

  /** Returns the mean time of a reading in each pass, in their order, milliseconds. */
  List<Double> millisOfPasses() {
    return passes.stream().map(ScaleRun::millis).toList();
  }

  /**
   * Returns how many times as fast as another case each pass was. Both must have the same number of
   * passes, run in turns.
   */
  List<Double> timesAsFastAs(ScaleRun other) {
    return IntStream.range(0, passes.size())
        .mapToObj(pass -> millis(other.passes.get(pass)) / millis(passes.get(pass)))
        .toList();
  }

  /** Formats the figures of passes in their order, the cold one in brackets. */
  static String inOrder(String format, List<Double> passes) {
    return IntStream.range(0, passes.size())
        .mapToObj(
            pass ->
                String.format(
                    Locale.ROOT,
                    passes.size() > 1 && pass == 0 ? "(" + format + ")" : format,
                    passes.get(pass)))
        .collect(Collectors.joining(" "));
  }

  /**
   * Returns the 10th percentile of a key frame's time in which no task computed, milliseconds; 0 if
   * there was none.
   */
  double idleP10Millis() {
    TaskBalanceReport team = report().team();
    return team == null ? 0 : team.idleP10Millis();
  }

  private static double millis(RunReport runReport) {
    return runReport.serviceNanos().stream().mapToLong(Long::longValue).average().orElse(0)
        / NANOS_PER_MILLI;
  }

  /**
   * Returns the wall-clock time of a key frame in which the mean task did not compute,
   * milliseconds.
   */
  private static double restMillis(TaskBalanceReport team) {
    double compute =
        team.computeMillis().stream().mapToDouble(Double::doubleValue).average().orElse(0);
    return team.wallMillis() - compute;
  }

  /** Returns the case's row of the table. */
  ScaleCost figures(ScaleCase of, double serialMillis, boolean busy) {
    RunReport runReport = report();
    TaskBalanceReport team = runReport.team();
    double perReading = (double) team.keyFrames() / runReport.readings().processed();
    return new ScaleCost(
        of,
        false,
        busy,
        serialMillis,
        millis(),
        team.computeMillis().stream().map(each -> each * perReading).toList(),
        team.slowestMillis() * perReading,
        team.decideMillis() * perReading,
        restMillis(team) * perReading,
        team.idleP50Millis(),
        runReport.jvmPerReading().collectMillis(),
        runReport.resamplings(),
        runReport.bytesMoved());
  }
}
