package org.cartostream.bench.soak;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.ReadingCounter;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.gateway.SkipReason;

/**
 * Outcomes of all robots' readings, and the times until they came.
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
   * The service has answered a reading.
   *
   * @param nanos since the robot had it
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
   * Number of times that a robot had to begin a new map because the service had lost its filter.
   */
  public long restarts() {
    return restarts.sum();
  }

  /** The times since it was last asked, nanoseconds. One thread asks. */
  public Histogram latest() {
    Histogram latest = latency.getIntervalHistogram();
    all.add(latest);
    return latest;
  }

  /** All times until {@link #latest} was last asked for, nanoseconds. */
  public Histogram all() {
    return all;
  }
}
