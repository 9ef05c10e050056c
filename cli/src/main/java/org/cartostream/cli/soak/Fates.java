package org.cartostream.cli.soak;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What became of all robots' readings, and how long they waited for it.
 *
 * <p>Owns the counts and the times. Thread-safe.
 */
public final class Fates {

  private static final int SIGNIFICANT_DIGITS = 3;

  private final LongAdder read = new LongAdder();
  private final LongAdder processed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder skipped = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder restarts = new LongAdder();
  private final Recorder latency = new Recorder(SIGNIFICANT_DIGITS);
  private final Histogram all = new Histogram(SIGNIFICANT_DIGITS);

  /**
   * So far.
   *
   * @param restarts how often a robot had to begin a new map, for the service had lost its filter
   */
  public record Counts(
      long read, long processed, long refused, long skipped, long lost, long restarts) {

    /** Readings whose fate is not known yet. */
    public long open() {
      return read - processed - refused - skipped - lost;
    }

    /** Since then. */
    public Counts since(Counts before) {
      return new Counts(
          read - before.read,
          processed - before.processed,
          refused - before.refused,
          skipped - before.skipped,
          lost - before.lost,
          restarts - before.restarts);
    }
  }

  void read() {
    read.increment();
  }

  void refused() {
    refused.increment();
  }

  void skipped() {
    skipped.increment();
  }

  void lost() {
    lost.increment();
  }

  void restarted() {
    restarts.increment();
  }

  /**
   * The filter has taken in a reading.
   *
   * @param nanos since the robot had it
   */
  void processed(long nanos) {
    processed.increment();
    latency.recordValue(Math.max(0, nanos));
  }

  public Counts counts() {
    return new Counts(
        read.sum(), processed.sum(), refused.sum(), skipped.sum(), lost.sum(), restarts.sum());
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
