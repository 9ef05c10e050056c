package org.cartostream.slam.particle;

/**
 * The {@link Resampler}'s decision after one step.
 *
 * @param sequence the step's number
 * @param resampled false if every particle goes on unchanged
 * @param parents for each new particle the old one that it copies; the identity if not resampled.
 *     There may be more or fewer than there were
 * @param effectiveSampleSize Neff before resampling, from 1 to the number of particles
 * @param entropy entropy of the particles' weights before resampling, nats: 0 if one particle has
 *     all the weight, the logarithm of the number of particles if all weigh the same
 * @param best the particle (by its number before resampling) that is likeliest by all readings so
 *     far: its path and map count at the end; it survives
 * @param drawnAnew share of the new particles that are drawn anew in place of a parent's copy, in
 *     filters that do so (localisation); each particle's own random number decides
 */
public record Resampling(
    long sequence,
    boolean resampled,
    int[] parents,
    double effectiveSampleSize,
    double entropy,
    int best,
    double drawnAnew) {}
