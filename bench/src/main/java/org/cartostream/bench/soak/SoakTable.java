package org.cartostream.bench.soak;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.cartostream.gateway.ReadingCounts;

/**
 * What is printed of a soak: a line for each minute, and the sums.
 *
 * <p>Owns what was seen in the current minute. Of a heap the lowest value of the minute counts:
 * what is above it is garbage that was not collected yet.
 */
public final class SoakTable {

  private static final double BYTES_A_MEGABYTE = 1e6;
  private static final double SECONDS_A_MINUTE = 60;

  private final PrintWriter out;
  private final int workers;
  private final Map<Integer, Long> lowestHeaps = new TreeMap<>();
  private long mostInTopology;
  private long mostAtRobots;
  private int killed;
  private ReadingCounts before = new ReadingCounts(0, 0, 0, 0, 0);
  private long restartsBefore;

  /**
   * @param workers how many should show their figures
   */
  public SoakTable(PrintWriter out, int workers) {
    this.out = out;
    this.workers = workers;
  }

  public void printHeader() {
    out.println(
        "minute    read processed skipped refused lost restarts | p50 ms p95 ms p99 ms |"
            + " most waiting: topology, robots | lowest heap of each worker, MB");
    out.flush();
  }

  /**
   * The workers and robots were looked at.
   *
   * @param atRobots readings that wait at the robots
   */
  public void observe(List<WorkerMetrics.WorkerSample> shown, long atRobots) {
    shown.forEach(each -> lowestHeaps.merge(each.port(), each.heapBytes(), Math::min));
    long waiting = shown.stream().mapToLong(WorkerMetrics.WorkerSample::waiting).sum();
    mostInTopology = Math.max(mostInTopology, waiting);
    mostAtRobots = Math.max(mostAtRobots, atRobots);
  }

  /**
   * A worker was killed.
   *
   * @param what where it was, and what was in it
   */
  public void killed(String what) {
    killed++;
    out.println("       killed the worker at " + what);
    out.flush();
  }

  /** A minute is over. */
  public void printMinute(int minute, SoakStatistics soakStatistics) {
    ReadingCounts now = soakStatistics.counts();
    ReadingCounts since = now.since(before);
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
    out.printf(
        Locale.ROOT,
        "%6d %7d %9d %7d %7d %4d %8d | %s | %21d %8d | %s%n",
        minute,
        since.read(),
        since.processed(),
        since.skipped(),
        since.refused(),
        since.lost(),
        restarts,
        millis(soakStatistics.latest()),
        mostInTopology,
        mostAtRobots,
        heaps);
    out.flush();
    lowestHeaps.clear();
    mostInTopology = 0;
    mostAtRobots = 0;
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
   * All robots have stopped.
   *
   * @param seconds for which they drove
   */
  public void printTotals(SoakStatistics soakStatistics, int robots, double seconds) {
    ReadingCounts all = soakStatistics.counts();
    out.printf(
        Locale.ROOT,
        "%d robots, %.1f min: %d read = %d processed + %d refused + %d skipped + %d lost (%d without"
            + " a fate); %.2f %% skipped; %.1f readings/s processed; p50, p95, p99 from reading to"
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
