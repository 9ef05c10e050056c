package org.cartostream.collectives.engine;

import java.util.concurrent.TimeUnit;

/**
 * The times after which a round probes its members, and fails.
 *
 * @param timeoutMillis that a round may take, as configured
 */
record Timeouts(int timeoutMillis) {

  /** Number of times that a member looks at the time within one timeout. */
  private static final int TICKS_A_TIMEOUT = 16;

  /** Time from one look to the next. */
  long periodNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / TICKS_A_TIMEOUT;
  }

  /**
   * Nanoseconds in a round after which a member asks the others, at every look, whether they have
   * entered.
   */
  long probeNanos() {
    return TICKS_A_TIMEOUT / 2 * periodNanos();
  }

  /**
   * Nanoseconds after which a round fails: early enough that a late look still keeps the timeout.
   */
  long endNanos() {
    return (TICKS_A_TIMEOUT - 2) * periodNanos();
  }

  /**
   * Nanoseconds after which frames of a round that this member never entered are dropped: nobody
   * waits for them.
   */
  long forgetNanos() {
    return 2 * TICKS_A_TIMEOUT * periodNanos();
  }
}
