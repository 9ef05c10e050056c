package org.cartostream.bench.soak;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.cartostream.bench.table.TextTable;
import org.cartostream.bench.table.TextTable.Column;
import org.cartostream.gateway.ReadingCounts;

/**
 * Table of a soak: a line for each minute, and the sums.
 *
 * <p>Owns what was seen in the current minute. Of a heap the lowest value of the minute counts, as
 * what is above it is garbage that was not collected yet.
 */
final class SoakTable {

  private static final double BYTES_A_MEGABYTE = 1e6;
  private static final double SECONDS_A_MINUTE = 60;

  private static final TextTable<Minute> TABLE =
      TextTable.of(
          new Column<>("minute", 6, Minute::minute),
          new Column<>("read", 7, row -> row.readings().read()),
          new Column<>("processed", 9, row -> row.readings().processed()),
          new Column<>("skipped", 7, row -> row.readings().skipped()),
          new Column<>("refused", 7, row -> row.readings().refused()),
          new Column<>("lost", 4, row -> row.readings().lost()),
          new Column<>("restarts", 8, Minute::restarts),
          new Column<>("| p50 ms p95 ms p99 ms", -22, row -> "| " + row.millis()),
          new Column<>("| most waiting: topology,", 25, Minute::maxInTopology),
          new Column<>("robots", 8, Minute::maxAtRobots),
          new Column<>("| lowest heap of each worker, MB", -32, row -> "| " + row.heaps()));

  /** Row of the table: what happened in one minute. */
  private record Minute(
      int minute,
      ReadingCounts readings,
      long restarts,
      String millis,
      long maxInTopology,
      long maxAtRobots,
      String heaps) {}

  private final PrintWriter out;
  private final int workers;
  private final Map<Integer, Long> lowestHeaps = new TreeMap<>();
  private long maxInTopology;
  private long maxAtRobots;
  private int killed;
  private ReadingCounts before = new ReadingCounts(0, 0, 0, 0, 0);
  private long restartsBefore;

  /**
   * @param workers number of workers that should publish metrics
   */
  public SoakTable(PrintWriter out, int workers) {
    this.out = out;
    this.workers = workers;
  }

  public void printHeader() {
    TABLE.printHeader(out);
  }

  /**
   * Takes samples of workers and robots.
   *
   * @param shown samples of the workers that answered
   * @param atRobots number of readings that wait at the robots
   */
  public void observe(List<WorkerMetrics.WorkerSample> shown, long atRobots) {
    shown.forEach(each -> lowestHeaps.merge(each.port(), each.heapBytes(), Math::min));
    long waiting = shown.stream().mapToLong(WorkerMetrics.WorkerSample::waiting).sum();
    maxInTopology = Math.max(maxInTopology, waiting);
    maxAtRobots = Math.max(maxAtRobots, atRobots);
  }

  /**
   * Counts and prints the kill of a worker.
   *
   * @param what slot of the worker, and components in it
   */
  public void killed(String what) {
    killed++;
    out.println("       killed the worker at " + what);
    out.flush();
  }

  private static ReadingCounts difference(ReadingCounts now, ReadingCounts before) {
    return new ReadingCounts(
        now.read() - before.read(),
        now.processed() - before.processed(),
        now.refused() - before.refused(),
        now.skipped() - before.skipped(),
        now.lost() - before.lost());
  }

  /** Prints the line of a minute that is over. */
  public void printMinute(int minute, SoakStatistics soakStatistics) {
    ReadingCounts now = soakStatistics.counts();
    ReadingCounts since = difference(now, before);
    long restarts = soakStatistics.restarts() - restartsBefore;
    before = now;
    restartsBefore = soakStatistics.restarts();
    String heaps =
        lowestHeaps.values().stream()
            .map(bytes -> String.format(Locale.ROOT, "%.0f", bytes / BYTES_A_MEGABYTE))
            .collect(Collectors.joining(" "));
    if (lowestHeaps.size() < workers) {
      heaps += " (" + lowestHeaps.size() + " of " + workers + " workers show theirs)";
    }
    TABLE.printRow(
        out,
        new Minute(
            minute,
            since,
            restarts,
            millis(soakStatistics.latest()),
            maxInTopology,
            maxAtRobots,
            heaps));
    lowestHeaps.clear();
    maxInTopology = 0;
    maxAtRobots = 0;
  }

  private static String millis(Histogram nanos) {
    return List.of(50, 95, 99).stream()
        .map(
            part ->
                String.format(
                    Locale.ROOT,
                    "%6.1f",
                    nanos.getValueAtPercentile(part) / (double) TimeUnit.MILLISECONDS.toNanos(1)))
        .collect(Collectors.joining(" "));
  }

  /**
   * Prints the sums after all robots have stopped.
   *
   * @param seconds time for which they drove
   */
  public void printTotals(SoakStatistics soakStatistics, int robots, double seconds) {
    ReadingCounts all = soakStatistics.counts();
    out.printf(
        Locale.ROOT,
        "%d robots, %.1f min: %d read = %d processed + %d refused + %d skipped + %d lost (%d without"
            + " an outcome); %.2f %% skipped; %.1f readings/s processed; p50, p95, p99 from reading to"
            + " pose, ms: %s; workers killed: %d%n",
        robots,
        seconds / SECONDS_A_MINUTE,
        all.read(),
        all.processed(),
        all.refused(),
        all.skipped(),
        all.lost(),
        all.open(),
        100.0 * all.skipped() / Math.max(1, all.read()),
        all.processed() / seconds,
        millis(soakStatistics.all()),
        killed);
    out.flush();
  }
}
