package org.cartostream.cli;

/**
 * What became of the readings of a run.
 *
 * @param read scans that the log gave
 * @param processed taken in by the filter
 * @param refused not usable, for a reason that is counted
 * @param skipped left out for lack of time; a replay skips none
 * @param lost nobody can say what became of them, or the run ended before they were answered
 */
record Readings(long read, long processed, long refused, long skipped, long lost) {

  /** True if every reading has exactly one fate. */
  boolean balance() {
    return read == processed + refused + skipped + lost;
  }

  /** Readings whose fate is known. */
  long done() {
    return processed + refused + skipped + lost;
  }
}
