package org.cartostream.topology.collectives;

import java.util.concurrent.TimeUnit;

/**
 * How long a round may take.
 *
 * @param timeoutMillis that it may take, as configured
 */
record Patience(int timeoutMillis) {

  /** How often a member looks at the time within the timeout. */
  private static final int LOOKS = 16;

  /** Time from one look to the next. */
  long periodNanos() {
    return TimeUnit.MILLISECONDS.toNanos(timeoutMillis) / LOOKS;
  }

  /** After this, a member asks the others whether they have entered; at every look. */
  long probeNanos() {
    return LOOKS / 2 * periodNanos();
  }

  /** After this a round fails: early enough that a late look still keeps the timeout. */
  long endNanos() {
    return (LOOKS - 2) * periodNanos();
  }

  /** After this, what came for a round that this member never entered goes: nobody waits for it. */
  long forgetNanos() {
    return 2 * LOOKS * periodNanos();
  }
}
