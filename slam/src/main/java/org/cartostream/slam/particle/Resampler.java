package org.cartostream.slam.particle;

import org.cartostream.slam.settings.FilterSettings;

/**
 * The resampler of one robot's particles: normalises their weights, and decides when and how to
 * resample.
 *
 * <p>Resampling is systematic, and adaptive by the effective sample size (Grisetti, Stachniss,
 * Burgard 2007, section III-B). If the settings ask for it, the number of new particles depends on
 * the spread of the poses ({@link KldSampling}).
 *
 * <p>Owns the particles' accumulated log likelihoods, since the last resampling and over their
 * whole paths: partitions report only each step's log likelihood, and a particle that moves carries
 * no weight. A pure function of the weights given to it: copies with the same inputs decide the
 * same.
 */
public final class Resampler implements ParticleSelector {

  /** Value in place of a particle's number for random numbers of the filter as a whole. */
  private static final int FILTER = -1;

  private final FilterSettings settings;
  private final String robot;
  private double[] sinceResampling;
  private double[] wholePath;

  public Resampler(FilterSettings settings, String robot) {
    this.settings = settings;
    this.robot = robot;
    this.sinceResampling = new double[settings.particles()];
    this.wholePath = new double[settings.particles()];
  }

  @Override
  public Resampling resample(ParticleWeights all) {
    int count = sinceResampling.length;
    if (all.placedAnew()) {
      sinceResampling = new double[count];
      wholePath = new double[count];
    }
    for (int i = 0; i < count; i++) {
      sinceResampling[i] += all.logLikelihoods()[i];
      wholePath[i] += all.logLikelihoods()[i];
    }
    double[] weights = weights(sinceResampling, settings.weightShare());
    double effective = effectiveSampleSize(weights);
    boolean resample = effective < settings.resampleBelowNeff(count);
    int[] parents = resample ? drawEnough(all, weights) : identity(count);
    int best = parents[0];
    for (int parent : parents) {
      best = wholePath[parent] > wholePath[best] ? parent : best;
    }
    if (resample) {
      double[] inherited = new double[parents.length];
      for (int i = 0; i < parents.length; i++) {
        inherited[i] = wholePath[parents[i]];
      }
      wholePath = inherited;
      sinceResampling = new double[parents.length];
    }
    return new Resampling(all.sequence(), resample, parents, effective, entropy(weights), best, 0);
  }

  /** The normalised weights. */
  public static double[] weights(double[] logLikelihoods, double share) {
    double largest = Double.NEGATIVE_INFINITY;
    for (double log : logLikelihoods) {
      largest = Math.max(largest, log);
    }
    double[] weights = new double[logLikelihoods.length];
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = StrictMath.exp(share * (logLikelihoods[i] - largest));
      sum += weights[i];
    }
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= sum;
    }
    return weights;
  }

  /** Neff of normalised weights: from 1 to their number. */
  public static double effectiveSampleSize(double[] weights) {
    double squares = 0;
    for (double weight : weights) {
      squares += weight * weight;
    }
    return 1 / squares;
  }

  /** Returns the entropy of normalised weights, nats. */
  public static double entropy(double[] weights) {
    double entropy = 0;
    for (double weight : weights) {
      entropy -= weight > 0 ? weight * StrictMath.log(weight) : 0;
    }
    return entropy;
  }

  /**
   * Draws the new particles' parents, as many as the settings and the spread of the poses ask for.
   */
  private int[] drawEnough(ParticleWeights all, double[] weights) {
    int[] max = draw(all.sequence(), weights, settings.particles());
    if (!settings.adaptive().isOn()) {
      return max;
    }
    int needed = KldSampling.needed(all, max, settings.adaptive());
    return needed == max.length ? max : draw(all.sequence(), weights, needed);
  }

  /** Systematic resampling: one random offset, then even steps through the cumulated weights. */
  private int[] draw(long sequence, double[] weights, int count) {
    double offset = new ParticleRandom(settings.seed(), robot, sequence, FILTER).uniform();
    int[] parents = new int[count];
    int parent = 0;
    double cumulated = weights[0];
    for (int i = 0; i < count; i++) {
      double target = (i + offset) / count;
      while (target > cumulated && parent < weights.length - 1) {
        parent++;
        cumulated += weights[parent];
      }
      parents[i] = parent;
    }
    return parents;
  }

  private static int[] identity(int count) {
    int[] identity = new int[count];
    for (int i = 0; i < count; i++) {
      identity[i] = i;
    }
    return identity;
  }

  /**
   * Returns the numbers of {@code count} particles, drawn by weight at even distances, so that all
   * drawn ones have equal weight; a heavy particle may occur more than once.
   *
   * @param weights of sum 1
   */
  public static int[] evenly(double[] weights, int count) {
    int[] drawn = new int[count];
    int next = 0;
    double upTo = 0;
    for (int i = 0; i < weights.length; i++) {
      upTo += weights[i];
      boolean isLast = i == weights.length - 1; // The sum may be a little less than 1.
      while (next < count && (isLast || (next + 0.5) / count < upTo)) {
        drawn[next++] = i;
      }
    }
    return drawn;
  }
}
