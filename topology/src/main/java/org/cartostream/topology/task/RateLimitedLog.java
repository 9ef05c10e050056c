package org.cartostream.topology.task;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Rate-limited logger: counts an event that may happen often, and logs it at most once in {@value
 * #PAUSE_SECONDS} s, so that other lines of the log stay visible.
 *
 * <p>Owns the count of events, and the time of the latest log line. Thread-safe.
 */
public final class RateLimitedLog {

  static final int PAUSE_SECONDS = 10;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);

  private long count;
  private long saidAt;

  /**
   * @param nanoTime the time by {@link System#nanoTime}; an event is logged at once from then on
   */
  public RateLimitedLog(long nanoTime) {
    saidAt = nanoTime - PAUSE_NANOS;
  }

  /**
   * Counts an event.
   *
   * @param nanoTime time of the event, by {@link System#nanoTime}
   * @param log logs the number of events so far; not called if that was logged within the last
   *     {@value #PAUSE_SECONDS} s
   */
  public synchronized void record(long nanoTime, LongConsumer log) {
    count++;
    if (nanoTime - saidAt >= PAUSE_NANOS) {
      saidAt = nanoTime;
      log.accept(count);
    }
  }
}
