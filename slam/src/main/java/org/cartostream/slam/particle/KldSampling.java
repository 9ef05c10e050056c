package org.cartostream.slam.particle;

import java.util.Arrays;
import org.cartostream.slam.settings.AdaptiveSettings;

/**
 * Number of particles that a resampling needs by KLD-sampling (Fox, "Adapting the Sample Size in
 * Particle Filters Through KLD-Sampling", International Journal of Robotics Research 22, 2003): so
 * many that, with the probability asked for, the Kullback-Leibler distance between them and what
 * they stand for is below a bound. It grows with the number of bins in which there are particles.
 *
 * <p>A pure function of the poses: the same everywhere.
 */
public final class KldSampling {

  private KldSampling() {}

  /**
   * Returns how many particles are enough, from the fewest to the most.
   *
   * @param all the particles that are resampled
   * @param parents the particles that would go on if the most did
   */
  static int needed(ParticleWeights all, int[] parents, AdaptiveSettings settings) {
    int bins =
        (int)
            Arrays.stream(parents)
                .distinct()
                .mapToObj(i -> bin(all, i, settings))
                .distinct()
                .count();
    return needed(
        bins, settings.kldError(), settings.kldQuantile(), settings.minParticles(), parents.length);
  }

  /**
   * Returns how many particles are enough, from {@code min} to {@code max}.
   *
   * @param bins number of bins in which there are particles
   * @param error maximum Kullback-Leibler distance
   * @param quantile quantile of the normal distribution for the probability asked for
   */
  public static int needed(int bins, double error, double quantile, int min, int max) {
    return (int) Math.max(min, Math.min(max, Math.ceil(bound(bins, error, quantile))));
  }

  /** A bin of the histogram over poses; its place in the filter's frame does not matter. */
  private record Bin(long x, long y, long theta) {}

  private static Bin bin(ParticleWeights all, int i, AdaptiveSettings settings) {
    return new Bin(
        (long) Math.floor(all.x()[i] / settings.binMetres()),
        (long) Math.floor(all.y()[i] / settings.binMetres()),
        (long) Math.floor(all.theta()[i] / settings.binRadians()));
  }

  /** Equation 7 of the paper: the chi-square quantile by Wilson and Hilferty's transformation. */
  static double bound(int bins, double error, double quantile) {
    if (bins < 2) {
      return 1;
    }
    double freedom = bins - 1.0;
    double a = 2 / (9 * freedom);
    double root = 1 - a + Math.sqrt(a) * quantile;
    return freedom / (2 * error) * root * root * root;
  }
}
