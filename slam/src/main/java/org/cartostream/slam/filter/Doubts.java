package org.cartostream.slam.filter;

/**
 * How often odometry was doubted, for reports.
 *
 * @param searched readings for which a wide search was needed
 * @param replaced readings whose motion was taken from the laser instead of from odometry; most
 *     were searched for
 */
public record Doubts(long searched, long replaced) {

  public static final Doubts NONE = new Doubts(0, 0);

  /** These and what becomes of a further reading. */
  public Doubts and(Step step) {
    return new Doubts(searched + (step.searched() ? 1 : 0), replaced + (step.replaced() ? 1 : 0));
  }
}
