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
                "Minimum number of particles after adaptive resampling (KLD-sampling), which keeps"
                    + " as many as their spread needs, up to slam.particles. 0: not adaptive.")
        int minParticles,
    @Setting(
            value = "0.5",
            min = 0.001,
            max = 1,
            description =
                "Maximum Kullback-Leibler distance ε of the particles from the distribution that"
                    + " they represent: half of it needs twice as many. 0.5 asks for 7 in two bins,"
                    + " 22 in ten, 135 in a hundred.")
        double kldError,
    @Setting(
            value = "2.326",
            min = 0,
            max = 5,
            description =
                "Quantile of the normal distribution for the share of resamplings within kldError:"
                    + " 2.326 for 99 of 100.")
        double kldQuantile,
    @Setting(
            value = "0.1",
            unit = "m",
            min = 0.001,
            max = 10,
            description =
                "Side of a bin, in which particles count as one place: a scan match leads them to"
                    + " the same pose.")
        double binMetres,
    @Setting(
            value = "0.05",
            unit = "rad",
            min = 0.001,
            max = 7,
            description = "Size of a bin in heading.")
        double binRadians) {

  /** True if the number of particles may change. */
  public boolean isOn() {
    return minParticles > 0;
  }
}
