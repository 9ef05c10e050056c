package org.cartostream.bench.latency;

import java.util.Set;

/**
 * Latencies of one case over many readings; times are from a reading's offer to the gateway.
 *
 * @param service whether a task was slow
 * @param readings which: all, or key frames, which the tasks match and register
 * @param toPoseNanos sorted
 * @param toOutcomeNanos sorted
 * @param skipped readings that were not sent, for the filter was busy
 */
record PoseLatency(
    String service, String readings, long[] toPoseNanos, long[] toOutcomeNanos, long skipped) {

  private static final double NANOS_PER_MILLI = 1e6;

  static PoseLatency of(String service, String readings, LatencyRun run, Set<Long> stamps) {
    return new PoseLatency(
        service, readings, run.toPose(stamps), run.toOutcome(stamps), run.skipped(stamps));
  }

  /** Null if there is no pose. */
  Double poseMillis(double quantile) {
    return millis(toPoseNanos, quantile);
  }

  Double outcomeMillis(double quantile) {
    return millis(toOutcomeNanos, quantile);
  }

  /** The smallest value that is not below so many of all. */
  private static Double millis(long[] sorted, double quantile) {
    return sorted.length == 0
        ? null
        : sorted[Math.max(0, (int) Math.ceil(quantile * sorted.length) - 1)] / NANOS_PER_MILLI;
  }
}
