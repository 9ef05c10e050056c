package org.cartostream.bench.soak;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.SkipReason;

/**
 * Statistics of all robots' readings: their outcomes, and the times until these came.
 *
 * <p>Owns the counts and the times. Thread-safe.
 */
final class SoakStatistics {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final ReadingCounter counter = new ReadingCounter();
  private final LongAdder restarts = new LongAdder();
  private final Recorder latency = new Recorder(SIGNIFICANT_DIGITS);
  private final Histogram all = new Histogram(SIGNIFICANT_DIGITS);

  void read() {
    counter.read();
  }

  void skipped(SkipReason why) {
    counter.skipped(why.name());
  }

  /**
   * Counts the outcome of a reading.
   *
   * @param nanos time since the robot took the reading
   */
  void answered(Outcome outcome, long nanos) {
    counter.outcome(outcome);
    if (outcome instanceof Outcome.Processed) {
      latency.recordValue(Math.max(0, nanos));
    }
  }

  void restarted() {
    restarts.increment();
  }

  public ReadingCounts counts() {
    return counter.counts();
  }

  /**
   * Returns the number of times that a robot had to begin a new map because the service had lost
   * its filter.
   */
  public long restarts() {
    return restarts.sum();
  }

  /** Returns the times since the last call, nanoseconds. Called by one thread. */
  public Histogram latest() {
    Histogram latest = latency.getIntervalHistogram();
    all.add(latest);
    return latest;
  }

  /** Returns all times until the last call of {@link #latest}, nanoseconds. */
  public Histogram all() {
    return all;
  }
}
