package org.cartostream.topology.task;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that stops while its process is paused. A process that is stopped for a minute (Ctrl-Z, a
 * paused container, a frozen machine) finds on waking that all it waited for seems a minute late,
 * though it only has to be read; so a task that waits for something counts by this clock.
 *
 * <p>From one tick of the task to the next it counts what passes, but no more than twice what there
 * is between two ticks: as {@code IdleRunDetector} does, but finer. Ticks wait in the same queue as
 * messages do, so a task that was only busy comes to all that waits before the clock has gone far;
 * and as a tick that is handled late comes the nearer to the next, nothing is lost if that is less
 * than a tick late.
 *
 * <p>Owns the time at the latest tick.
 */
public final class PauseTolerantClock {

  /** Period of a task's ticks, seconds. */
  public static final int TICK_SECONDS = 1;

  private static final long MAX_NANOS = 2 * TimeUnit.SECONDS.toNanos(TICK_SECONDS);

  private final LongSupplier nanoTime;
  private long tickedAt;
  private long awakeAtTick;

  /**
   * @param nanoTime such as {@link System#nanoTime}
   */
  public PauseTolerantClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.tickedAt = nanoTime.getAsLong();
  }

  /**
   * Returns such a clock for one thread that reads it several times a second, as a gateway's
   * session does: each reading of the clock is a tick.
   */
  public static LongSupplier tickingAsItIsRead(LongSupplier nanoTime) {
    PauseTolerantClock clock = new PauseTolerantClock(nanoTime);
    return () -> {
      clock.tick();
      return clock.awakeAtTick;
    };
  }

  /** A tick of the task. */
  public void tick() {
    long now = nanoTime.getAsLong();
    awakeAtTick += awakeSinceTick(now);
    tickedAt = now;
  }

  /** Nanoseconds that the task has been awake since the clock was made. */
  public long nanos() {
    return awakeAtTick + awakeSinceTick(nanoTime.getAsLong());
  }

  private long awakeSinceTick(long now) {
    return Math.min(now - tickedAt, MAX_NANOS);
  }
}
