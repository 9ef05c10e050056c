package org.cartostream.gateway;

/**
 * Counts of a run's readings by their outcome. At the end of every run read = processed + refused +
 * skipped + lost.
 *
 * @param read scans that the log or the robot gave, usable or not
 * @param processed readings that the filter has used
 * @param refused readings that cannot be used
 * @param skipped usable readings that a live gateway has not sent; a replay skips none
 * @param lost readings without a known outcome, or unanswered when the run ended
 */
public record ReadingCounts(long read, long processed, long refused, long skipped, long lost) {

  /** Returns the number of readings whose outcome is known. */
  public long done() {
    return processed + refused + skipped + lost;
  }

  /** Returns the number of readings whose outcome is not known yet. */
  public long open() {
    return read - done();
  }
}
