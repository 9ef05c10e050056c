package org.cartostream.bench.played;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Timer of a task that plays: lets the time of its work pass, in nanoseconds, and uses no processor
 * meanwhile. A timer rings some 0.1 ms late, and later on a busy machine; pieces of work that
 * follow each other at once make up for it, so that their sum is right.
 *
 * <p>Owns the time at which the work is due.
 */
final class PlayedTimer implements LongConsumer {

  /** Rest of a wait that is left to the next piece of work, nanoseconds: no timer is so exact. */
  private static final long LEFT_NANOS = 50_000;

  /** Time after which a piece of work does not follow the last one at once, nanoseconds. */
  private static final long PAUSE_NANOS = 200_000;

  private long due = System.nanoTime();
  private long returned = due;

  @Override
  public void accept(long nanos) {
    long now = System.nanoTime();
    long late = now - returned < PAUSE_NANOS ? returned - due : 0;
    due = now - late + nanos;
    for (long left = due - now; left > LEFT_NANOS; left = due - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.currentThread().isInterrupted()) {
        break; // The task is to end.
      }
    }
    returned = System.nanoTime();
  }
}
