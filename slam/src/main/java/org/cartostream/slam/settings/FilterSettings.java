package org.cartostream.slam.settings;

import java.util.Locale;
import org.cartostream.settings.Setting;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.map.TiledMap;

/** Everything that the filter's answer depends on, besides the readings. */
public record FilterSettings(
    @Setting(
            value = "150",
            min = 1,
            max = 100_000,
            description = "Number of particles; the maximum if slam.adaptive.minParticles is set.")
        int particles,
    @Setting(
            value = "1",
            description = "Seed of all random numbers; one seed gives one trajectory.")
        long seed,
    @Setting(
            value = "0.05",
            unit = "m",
            min = 0.005,
            max = 1,
            description =
                "Side of a map cell, for matching and in published maps: a third of"
                    + " matcher.sigmaHitMetres at least. From 0.05 m down, half of it makes a"
                    + " search for a lost pose take four times as long.")
        double cellMetres,
    @Setting(
            value = "0.005",
            unit = "rad",
            min = 0.0001,
            max = 7,
            description =
                "Angle from which two beams count as independent evidence; closer ones count less.")
        double independentRadians,
    @Setting(
            value = "0.015",
            min = 0.0001,
            max = 1,
            description = "Share of a scan's log likelihood that goes into a particle's weight.")
        double weightShare,
    @Setting(
            value = "0.25",
            min = 0,
            max = 1,
            description =
                "Particles are resampled when Neff falls below this share of their number, or below"
                    + " 1.1; 0 for never.")
        double resampleBelow,
    @Setting(
            value = "0.1",
            unit = "m",
            min = 0.001,
            max = 1000,
            description =
                "Maximum shift of the online pose at a key frame when particles are weighed anew;"
                    + " the rest follows later. Less is smoother, but off longer after an error.")
        double maxShiftMetres,
    AdaptiveSettings adaptive,
    ReadingFilterSettings readingFilter,
    OdometrySettings odometry,
    MotionSettings motion,
    ProposalSettings proposal,
    MatcherSettings matcher,
    LoopSettings loops) {

  private static final double MIN_NEFF = 1.1;

  /**
   * @throws IllegalArgumentException if the cells are so small that hits may lie farther from their
   *     wall than the map looks for them, or if the minimum number of particles is 1, or above the
   *     maximum
   */
  public FilterSettings {
    if (adaptive.minParticles() == 1) {
      throw new IllegalArgumentException(
          "slam.adaptive.minParticles 1: one particle is never resampled, so that there would be no"
              + " more ever after; take 2 or more, or 0 for a number that never changes");
    }
    if (adaptive.minParticles() > particles) {
      throw new IllegalArgumentException(
          "slam.adaptive.minParticles %d are more than slam.particles %d, which is the most"
              .formatted(adaptive.minParticles(), particles));
    }
    double reach = TiledMap.REACH * cellMetres;
    if (reach < matcher.sigmaHitMetres() * (1 - 1e-9)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "slam.cellMetres %s and slam.matcher.sigmaHitMetres %s: a wall is looked for within %d cells of a"
                  + " hit, and %.3f m are less than hits lie around it; take larger cells, or a"
                  + " smaller sigmaHitMetres",
              cellMetres,
              matcher.sigmaHitMetres(),
              TiledMap.REACH,
              reach));
    }
  }

  /**
   * Returns the least covariance of a pose in a map: the position is uncertain within a cell, and
   * the heading as that of a standing robot.
   */
  public SymmetricMatrix3 leastCovariance() {
    double inCell = cellMetres * cellMetres / 12;
    return SymmetricMatrix3.diagonal(inCell, inCell, motion.floorRadians() * motion.floorRadians());
  }

  /**
   * Neff below which particles are resampled. It is never below 1, so that two particles are also
   * resampled when one has nearly all the weight.
   *
   * @param count how many particles there are
   */
  public double resampleBelowNeff(int count) {
    double below = resampleBelow * count;
    return resampleBelow > 0 && count > 1 ? Math.max(below, MIN_NEFF) : below;
  }
}
