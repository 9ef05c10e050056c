package org.cartostream.topology.task;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A clock that stops while its process is paused. When a process is stopped for a minute (Ctrl-Z, a
 * paused container, a frozen machine), all messages that it waits for seem a minute late
 * afterwards, though they are in its queue; so tasks measure time-outs by this clock.
 *
 * <p>Between two ticks of the task the clock goes on with real time, but for two periods of ticks
 * at most. Ticks wait in the same queue as messages, so a task that was busy or stopped handles all
 * waiting messages before the clock has gone far. A tick that is less than a period late costs no
 * time, as the next tick then follows sooner.
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
   * @param nanoTime real time, such as {@link System#nanoTime}
   */
  public PauseTolerantClock(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.tickedAt = nanoTime.getAsLong();
  }

  /**
   * Returns such a clock in nanoseconds for a thread that reads it several times a second, as a
   * gateway's session does: each call is a tick.
   */
  public static LongSupplier tickingAsItIsRead(LongSupplier nanoTime) {
    PauseTolerantClock clock = new PauseTolerantClock(nanoTime);
    return () -> {
      clock.tick();
      return clock.awakeAtTick;
    };
  }

  /** Notes a tick of the task. */
  public void tick() {
    long now = nanoTime.getAsLong();
    awakeAtTick += awakeSinceTick(now);
    tickedAt = now;
  }

  /** Returns the time for which the task has been awake since the clock was made, nanoseconds. */
  public long nanos() {
    return awakeAtTick + awakeSinceTick(nanoTime.getAsLong());
  }

  private long awakeSinceTick(long now) {
    return Math.min(now - tickedAt, MAX_NANOS);
  }
}
