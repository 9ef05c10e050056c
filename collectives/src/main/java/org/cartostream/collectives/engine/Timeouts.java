package org.cartostream.collectives.engine;

import java.util.concurrent.TimeUnit;

/**
 * The times after which a round probes its members, and fails.
 *
 * @param timeoutMillis longest time that a round may take, milliseconds, as configured
 */
record Timeouts(int timeoutMillis) {

  /** Number of checks for timeouts within {@code timeoutMillis}. */
  private static final int TICKS_A_TIMEOUT = 16;

  /** Returns the time from one check for timeouts to the next, nanoseconds. */
  long periodNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / TICKS_A_TIMEOUT;
  }

  /**
   * Returns the age of a round, nanoseconds, from which on a member asks the others, at every
   * check, whether they have entered.
   */
  long probeNanos() {
    return TICKS_A_TIMEOUT / 2 * periodNanos();
  }

  /**
   * Returns the age at which a round fails, nanoseconds: two checks early, so that a late check
   * still keeps the timeout.
   */
  long endNanos() {
    return (TICKS_A_TIMEOUT - 2) * periodNanos();
  }

  /**
   * Returns the age, nanoseconds, at which frames of a round that this member never entered are
   * dropped: their senders' calls have timed out.
   */
  long forgetNanos() {
    return 2 * TICKS_A_TIMEOUT * periodNanos();
  }
}
