package org.cartostream.web.topic;

/**
 * Counts of a run's readings after an outcome.
 *
 * @param reading number of the reading that had the outcome; 0 if it was refused before it was a
 *     reading
 * @param processed number of processed readings so far
 * @param refused number of refused readings so far
 * @param lost number of lost readings so far
 * @param neff effective sample size of the particles; 0 before the first processed reading
 * @param millis time that the service took for the reading; 0 if it was not processed
 * @param searched true if odometry was doubted, so that a wide search was needed
 */
public record Counters(
    long reading,
    long processed,
    long refused,
    long lost,
    double neff,
    double millis,
    boolean searched) {

  /** Returns these counts with the number of another reading. */
  public Counters ofReading(long number) {
    return new Counters(number, processed, refused, lost, neff, millis, searched);
  }
}
