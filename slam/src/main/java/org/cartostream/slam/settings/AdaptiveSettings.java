package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/**
 * Settings of an adaptive number of particles (KLD-sampling: Fox, "Adapting the Sample Size in
 * Particle Filters Through KLD-Sampling", 2003).
 */
public record AdaptiveSettings(
    @Setting(
            value = "0",
            min = 0,
            max = 100_000,
            description =
                "Fewest particles after a resampling, where as many are kept as their spread needs;"
                    + " slam.particles is the most. 0: the number never changes.")
        int minParticles,
    @Setting(
            value = "0.5",
            min = 0.001,
            max = 1,
            description =
                "Kullback-Leibler distance that the particles may have from what they stand for: half"
                    + " of it needs twice as many. 0.5 asks for 7 in two bins, 22 in ten, 135 in a"
                    + " hundred.")
        double kldError,
    @Setting(
            value = "2.326",
            min = 0,
            max = 5,
            description =
                "Quantile of the normal distribution up to which that holds: 2.326 for 99 of 100"
                    + " resamplings.")
        double kldQuantile,
    @Setting(
            value = "0.1",
            unit = "m",
            min = 0.001,
            max = 10,
            description =
                "Particles this near, in one bin, count as one place. A scan match leads them to the"
                    + " same pose.")
        double binMetres,
    @Setting(
            value = "0.05",
            unit = "rad",
            min = 0.001,
            max = 7,
            description = "The same for their headings.")
        double binRadians) {

  /** True if the number of particles may change. */
  public boolean isOn() {
    return minParticles > 0;
  }
}
