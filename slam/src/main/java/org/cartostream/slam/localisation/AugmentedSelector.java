package org.cartostream.slam.localisation;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Decides which particles of a robot in a known map go on, and what share of them is drawn anew:
 * augmented Monte Carlo localisation (Thrun, Burgard, Fox 2005, table 8.3). When scans have lately
 * been less likely than in the long run, some of the particles that resampling makes are drawn
 * anew.
 *
 * <p>Owns the {@link Resampler}, the particles' weights since it resampled last, and the two
 * averages.
 */
final class AugmentedSelector implements ParticleSelector {

  private final LocalisationSettings settings;
  private final Resampler resampler;
  private double[] logs;

  /**
   * Averages of how likely a beam is, by the particles. Both begin at what a beam is expected to
   * have at a true pose. The slow one is a plain mean at first, so that a robot that is carried
   * away early is missed; and counts for what is expected at least, so that a robot that was never
   * found is looked for.
   */
  private double slow;

  private double fast;

  private final double expected;

  private long weighings;

  AugmentedSelector(LocalisationSettings settings, FilterSettings filterSettings, String robot) {
    this.settings = settings;
    this.resampler =
        new Resampler(
            Settings.with(
                filterSettings,
                Map.of(
                    "particles", String.valueOf(settings.particles()),
                    "weightShare", "1",
                    "resampleBelow", String.valueOf(settings.resampleBelow()))),
            robot);
    this.logs = new double[settings.particles()];
    this.expected = StrictMath.exp(expectedLog(settings.missShare()));
    this.slow = expected;
    this.fast = expected;
  }

  /**
   * Mean log likelihood of a beam at the true pose, if the model is right: the expectation of
   * log(miss + (1 - miss) exp(-z²/2)) over z of that mixture, by the midpoint rule; a beam that met
   * something unknown ends far from walls.
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
    if (all.evidence() == 0) { // They have only moved.
      return resampler.resample(all);
    }
    for (int i = 0; i < logs.length; i++) {
      logs[i] += all.logLikelihoods()[i];
    }
    double[] weights = Resampler.weights(logs, 1);
    double average = 0;
    for (int i = 0; i < logs.length; i++) {
      average += weights[i] * StrictMath.exp(all.logLikelihoods()[i] / all.evidence());
    }
    weighings++;
    slow += Math.max(settings.slowRate(), 1.0 / weighings) * (average - slow);
    fast += Math.max(settings.fastRate(), 1.0 / weighings) * (average - fast);
    double share = Math.max(0, 1 - fast / Math.max(slow, expected));
    Resampling resampling = resampler.resample(all, 1 - share);
    if (!resampling.resampled()) {
      return resampling;
    }
    logs = new double[logs.length];
    return resampling.withDrawnAnew(share);
  }
}
