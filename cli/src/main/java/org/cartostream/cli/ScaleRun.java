package org.cartostream.cli;

import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * What came of all passes of a case.
 *
 * @param report of the fastest pass
 * @param leastNanos of each reading in any pass: what came between in one pass (a collection,
 *     another process) did not in another; as many as the pass with the fewest processed
 * @param idleP10Millis one key frame in ten had less time in which no task computed; of the pass in
 *     which that was least
 * @param idleP50Millis the same for half of the key frames
 */
record ScaleRun(Report report, long[] leastNanos, double idleP10Millis, double idleP50Millis) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** One pass. */
  static ScaleRun of(Report report) {
    TeamReport team = report.team();
    return new ScaleRun(
        report,
        report.serviceNanos().stream().mapToLong(Long::longValue).toArray(),
        team == null ? 0 : team.idleP10Millis(),
        team == null ? 0 : team.idleP50Millis());
  }

  /** With a further pass, which did the same. */
  ScaleRun and(ScaleRun other) {
    long[] least = Arrays.copyOf(leastNanos, Math.min(leastNanos.length, other.leastNanos.length));
    Arrays.setAll(least, i -> Math.min(leastNanos[i], other.leastNanos[i]));
    ScaleRun faster =
        report.millisPerReading().mean() < other.report.millisPerReading().mean() ? this : other;
    return new ScaleRun(
        faster.report,
        least,
        Math.min(idleP10Millis, other.idleP10Millis),
        Math.min(idleP50Millis, other.idleP50Millis));
  }

  /** Milliseconds per reading, mean of the least. */
  double millis() {
    return LongStream.of(leastNanos).average().orElse(0) / NANOS_PER_MILLI;
  }

  /** For the table. */
  ScaleFigures figures(ScaleCase of, double serialMillis) {
    TeamReport team = report.team();
    double perReading = (double) team.keyFrames() / report.readings().processed();
    return new ScaleFigures(
        of,
        false,
        serialMillis,
        millis(),
        team.computeMillis().stream().map(each -> each * perReading).toList(),
        team.slowestMillis() * perReading,
        team.decideMillis() * perReading,
        team.restMillis() * perReading,
        idleP50Millis,
        report.jvmPerReading().collectMillis(),
        report.resamplings(),
        report.bytesMoved());
  }
}
