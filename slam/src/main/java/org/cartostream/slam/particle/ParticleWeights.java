package org.cartostream.slam.particle;

import org.cartostream.slam.geometry.Pose;

/**
 * Poses and log likelihoods of a partition's particles after one step, before any resampling.
 *
 * @param sequence the step's number
 * @param particles the particles' numbers, ascending
 * @param x the particles' x, metres; this and all following arrays have one element per particle
 * @param y metres
 * @param theta radians
 * @param logLikelihoods log likelihoods of this step's scan, nats; the {@link Resampler} adds them
 *     up over steps
 * @param mapBytes roughly what it would take to send the particle's map to another task
 * @param evaluations how often this partition scored a pose against a map in this step
 * @param evidence for how many independent measurements a log likelihood counts, see {@link
 *     StepWeigher#evidence}
 * @param placedAnew true if the particles' former weights are dropped, see {@link
 *     StepWeigher#placesAnew}
 */
public record ParticleWeights(
    long sequence,
    int[] particles,
    double[] x,
    double[] y,
    double[] theta,
    double[] logLikelihoods,
    long[] mapBytes,
    long evaluations,
    double evidence,
    boolean placedAnew) {

  public static ParticleWeights empty(long sequence, int size, long evaluations) {
    return new ParticleWeights(
        sequence,
        new int[size],
        new double[size],
        new double[size],
        new double[size],
        new double[size],
        new long[size],
        evaluations,
        0,
        false);
  }

  ParticleWeights with(long itsEvaluations, double itsEvidence, boolean placed) {
    return new ParticleWeights(
        sequence,
        particles,
        x,
        y,
        theta,
        logLikelihoods,
        mapBytes,
        itsEvaluations,
        itsEvidence,
        placed);
  }

  /** Returns the pose at index {@code i}. */
  public Pose pose(int i) {
    return new Pose(x[i], y[i], theta[i]);
  }

  /**
   * Merges all partitions' weights of one step, in the order of the particles' numbers 0 to N-1.
   *
   * @throws IllegalArgumentException if a particle is missing or doubled, or the steps differ
   */
  public static ParticleWeights merge(int total, Iterable<ParticleWeights> parts) {
    long sequence = parts.iterator().next().sequence;
    boolean[] seen = new boolean[total];
    int count = 0;
    long evaluations = 0;
    for (ParticleWeights part : parts) {
      evaluations += part.evaluations;
      if (part.sequence != sequence) {
        throw new IllegalArgumentException(
            "weights of readings " + sequence + " and " + part.sequence + " do not go together");
      }
      for (int particle : part.particles) {
        if (particle < 0 || particle >= total || seen[particle]) {
          throw new IllegalArgumentException(
              "particle " + particle + " of " + total + " is doubled or does not exist");
        }
        seen[particle] = true;
        count++;
      }
    }
    if (count != total) {
      throw new IllegalArgumentException(
          "weights of " + count + " particles; " + total + " are needed");
    }
    ParticleWeights first = parts.iterator().next();
    ParticleWeights all =
        empty(sequence, total, 0).with(evaluations, first.evidence, first.placedAnew);
    for (ParticleWeights part : parts) {
      for (int i = 0; i < part.particles.length; i++) {
        all.take(part.particles[i], part, i);
      }
    }
    return all;
  }

  /** Copies the element at index {@code from} of {@code others} to particle {@code number}. */
  private void take(int number, ParticleWeights others, int from) {
    particles[number] = number;
    x[number] = others.x[from];
    y[number] = others.y[from];
    theta[number] = others.theta[from];
    logLikelihoods[number] = others.logLikelihoods[from];
    mapBytes[number] = others.mapBytes[from];
  }
}
