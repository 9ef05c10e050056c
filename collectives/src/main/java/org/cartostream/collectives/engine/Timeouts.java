package org.cartostream.collectives.engine;

import java.util.concurrent.TimeUnit;

/**
 * The times after which a round probes its members, and fails.
 *
 * @param timeoutMillis that a round may take, as configured
 */
record Timeouts(int timeoutMillis) {

  /** How often a member looks at the time within the timeout. */
  private static final int TICKS_A_TIMEOUT = 16;

  /** Time from one look to the next. */
  long periodNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / TICKS_A_TIMEOUT;
  }

  /** After this, a member asks the others whether they have entered; at every look. */
  long probeNanos() {
    return TICKS_A_TIMEOUT / 2 * periodNanos();
  }

  /** After this a round fails: early enough that a late look still keeps the timeout. */
  long endNanos() {
    return (TICKS_A_TIMEOUT - 2) * periodNanos();
  }

  /** After this, what came for a round that this member never entered goes: nobody waits for it. */
  long forgetNanos() {
    return 2 * TICKS_A_TIMEOUT * periodNanos();
  }
}
