package org.cartostream.gateway;

/**
 * Counts of a run's readings by their outcome. At the end of every run read = processed + refused +
 * skipped + lost.
 *
 * @param read scans that the log or the robot gave, usable or not
 * @param processed taken in by the filter
 * @param refused not usable, for a reason that is counted
 * @param skipped left out by a live gateway for lack of time; a replay skips none
 * @param lost without a known outcome, or the run ended before they were answered
 */
public record ReadingCounts(long read, long processed, long refused, long skipped, long lost) {

  /** Readings whose outcome is known. */
  public long done() {
    return processed + refused + skipped + lost;
  }

  /** Readings whose outcome is not known yet. */
  public long open() {
    return read - done();
  }
}
