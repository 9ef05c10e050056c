package org.cartostream.slam.localisation;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.particle.KldSampling;
import org.cartostream.slam.particle.ParticleRandom;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Resampler of augmented Monte Carlo localisation (Thrun, Burgard, Fox 2005, table 8.3): decides
 * which particles survive, and which share of them is drawn anew anywhere in the map. When scans
 * have lately been less likely than in the long run, some of the particles that resampling makes
 * are drawn anew.
 *
 * <p>Resampling is systematic, cluster by cluster ({@link ClusterResampling}), and adaptive by the
 * effective sample size. How many particles there are then follows from their spread
 * (KLD-sampling), as in amcl. Owns the particles' weights and the two averages.
 */
final class AugmentedMclSelector implements ParticleSelector {

  /** Kullback-Leibler distance of the particles from what they stand for (amcl's pf_err). */
  private static final double KLD_ERROR = 0.05;

  /** Quantile of the normal distribution for 99 of 100 (amcl's pf_z). */
  private static final double KLD_QUANTILE = 2.326;

  private final LocalisationSettings settings;
  private final long seed;
  private final String robot;

  /** Log weights of the particles, nats. */
  private double[] logs;

  /**
   * Slow and fast averages of the likelihood of a beam. Both begin at the value expected at a true
   * pose. At first the slow average is a plain mean, so that a robot carried away early is noticed;
   * and it counts as no less than the expected value, so that a robot that was never found is
   * searched for.
   */
  private double slow;

  private double fast;

  private final double expected;

  private long weighings;

  AugmentedMclSelector(LocalisationSettings settings, long seed, String robot) {
    this.settings = settings;
    this.seed = seed;
    this.robot = robot;
    this.logs = new double[settings.particles()];
    this.expected = StrictMath.exp(expectedLog(settings.zRand()));
    this.slow = expected;
    this.fast = expected;
  }

  /**
   * Returns the mean log likelihood of a beam at the true pose, if the model is right: the
   * expectation of log(miss + (1 - miss) exp(-z²/2)) by the midpoint rule. With probability 1 -
   * miss z is normal; else the beam met something unknown, far from walls.
   */
  static double expectedLog(double miss) {
    double sum = 0;
    double density = 0;
    for (int i = 0; i < 400; i++) {
      double z = 0.01 * (i + 0.5);
      double normal = StrictMath.exp(-z * z / 2);
      density += normal;
      sum += normal * StrictMath.log(miss + (1 - miss) * normal);
    }
    return (1 - miss) * sum / density + miss * StrictMath.log(miss);
  }

  @Override
  public Resampling resample(ParticleWeights all) {
    if (all.placedAnew()) {
      logs = new double[logs.length];
      slow = expected;
      fast = expected;
      weighings = 0;
    }
    for (int i = 0; i < logs.length; i++) {
      logs[i] += all.logLikelihoods()[i];
    }
    double[] weights = Resampler.weights(logs, 1);
    double share = all.evidence() > 0 ? drawnAnew(all, weights) : 0; // Else they have only moved.
    double effective = Resampler.effectiveSampleSize(weights);
    boolean isShort = all.placedAnew() && logs.length < settings.particles();
    boolean resample =
        all.evidence() > 0
            && (isShort || (1 - share) * effective < settings.resampleBelow() * logs.length);
    int[] parents = IntStream.range(0, logs.length).toArray();
    if (all.evidence() > 0) {
      Pose[] poses = new Pose[logs.length];
      Arrays.setAll(poses, all::pose);
      ClusterResampling resampling = ClusterResampling.of(poses, weights, settings.alphaFast());
      int count = isShort ? settings.particles() : needed(resampling, share);
      parents = resample ? resampling.parents(count, random(all.sequence()).uniform()) : parents;
      logs = resample ? resampling.logWeights(parents) : resampling.logWeights();
    }
    int best = parents[0];
    for (int parent : parents) {
      best = weights[parent] > weights[best] ? parent : best;
    }
    return new Resampling(
        all.sequence(),
        resample,
        parents,
        effective,
        Resampler.entropy(weights),
        best,
        resample ? share : 0);
  }

  /**
   * Returns how many particles are needed: all as long as there are several places, and those that
   * are drawn anew count as each in a place of its own.
   */
  private int needed(ClusterResampling resampling, double share) {
    int max = settings.particles();
    int least = Math.min(settings.minParticles(), max);
    if (resampling.clusters() > 1) {
      return max;
    }
    int bins = resampling.boxes() + (int) (share * max);
    return KldSampling.needed(bins, KLD_ERROR, KLD_QUANTILE, least, max);
  }

  /** Returns random numbers that are keyed to the filter as a whole, not to a particle. */
  private ParticleRandom random(long sequence) {
    return new ParticleRandom(seed, robot, sequence, -1);
  }

  /**
   * Returns the share of particles to draw anew: 1 - w_fast / w_slow of the two averages, at least
   * 0.
   */
  private double drawnAnew(ParticleWeights all, double[] weights) {
    double average = 0;
    for (int i = 0; i < logs.length; i++) {
      average += weights[i] * StrictMath.exp(all.logLikelihoods()[i] / all.evidence());
    }
    weighings++;
    slow += Math.max(settings.alphaSlow(), 1.0 / weighings) * (average - slow);
    fast += Math.max(settings.alphaFast(), 1.0 / weighings) * (average - fast);
    return Math.max(0, 1 - fast / Math.max(slow, expected));
  }
}
