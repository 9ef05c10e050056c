package org.cartostream.topology.task;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * Rate-limited logger: counts an event that may happen often, and logs it at most once in {@value
 * #PAUSE_SECONDS} s, so that other lines of the log stay visible.
 *
 * <p>Owns the count, and when it was logged last. Any thread may call it.
 */
public final class RateLimitedLog {

  static final int PAUSE_SECONDS = 10;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(PAUSE_SECONDS);

  private long count;
  private long saidAt;

  /**
   * @param nanoTime from when on it counts, by {@link System#nanoTime}
   */
  public RateLimitedLog(long nanoTime) {
    saidAt = nanoTime - PAUSE_NANOS;
  }

  /**
   * Records that it has happened once more.
   *
   * @param nanoTime when, by {@link System#nanoTime}
   * @param log takes how often it has happened, unless that was logged a short while ago
   */
  public synchronized void record(long nanoTime, LongConsumer log) {
    count++;
    if (nanoTime - saidAt >= PAUSE_NANOS) {
      saidAt = nanoTime;
      log.accept(count);
    }
  }
}
