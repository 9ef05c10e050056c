package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;

/**
 * What a partition's particles make of one step, before any resampling.
 *
 * @param sequence the step's number
 * @param particles the particles' numbers, ascending
 * @param x metres, one per particle, as all that follow
 * @param y metres
 * @param theta radians
 * @param logLikelihoods of this step's scan; the {@link Resampler} adds them up
 * @param mapBytes what it would take to send the particle's map to another task
 * @param evaluations how often this partition scored a pose against a map in this step
 */
public record Beliefs(
    long sequence,
    int[] particles,
    double[] x,
    double[] y,
    double[] theta,
    double[] logLikelihoods,
    long[] mapBytes,
    long evaluations) {

  /** The pose in place {@code i}. */
  public Pose pose(int i) {
    return new Pose(x[i], y[i], theta[i]);
  }

  /**
   * All partitions' beliefs about one step as one, in the order of the particles' numbers 0 to N-1.
   *
   * @throws IllegalArgumentException if a particle is missing or doubled, or a step is another
   */
  public static Beliefs merge(int total, Iterable<Beliefs> parts) {
    throw new UnsupportedOperationException("soon");
  }
}
