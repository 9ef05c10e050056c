package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/**
 * Settings of localisation in a known map. A default is that of ROS's amcl, as documented there,
 * unless its description says otherwise.
 */
public record LocalisationSettings(
    @Setting(
            value = "2000",
            min = 2,
            max = 100_000,
            description =
                "Number of particles, which is constant (nav2's amcl has 2000 at most, that of ROS 1"
                    + " 5000).")
        int particles,
    @Setting(
            value = "0.2",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "Distance after which particles are weighed (amcl's update_min_d). In between, the scan"
                    + " is matched at the estimated pose alone.")
        double updateMetres,
    @Setting(
            value = "0.5236",
            unit = "rad",
            min = 0,
            max = 7,
            description = "Turn after which particles are weighed (update_min_a: 30 degrees).")
        double updateRadians,
    @Setting(
            value = "0.2",
            unit = "m",
            min = 0.01,
            max = 10,
            description =
                "Standard deviation of a beam's end point around the wall that it met (amcl's"
                    + " laser_sigma_hit). More than the laser's noise: the map is not exact, either.")
        double sigmaHitMetres,
    @Setting(
            value = "0.05",
            min = 0.0001,
            max = 1,
            description =
                "Share of beams that end anywhere (amcl's laser_z_rand, with laser_z_hit 0.95): the"
                    + " floor of a beam's likelihood.")
        double zRand,
    @Setting(
            value = "30",
            min = 1,
            max = 100_000,
            description =
                "Number of independent beams that a scan counts for (amcl's laser_max_beams). Up to 180"
                    + " are looked at, but neighbours see the same walls: to count each one fully would"
                    + " overstate what they tell.")
        int independentBeams,
    @Setting(
            value = "0.5",
            min = 0,
            max = 1,
            description =
                "Particles are resampled when Neff falls below this share of their number (amcl's"
                    + " selective_resampling).")
        double resampleBelow,
    @Setting(
            value = "0.001",
            min = 0,
            max = 1,
            description =
                "Rate of the long-term average of how likely scans are (amcl's recovery_alpha_slow,"
                    + " the value it recommends).")
        double alphaSlow,
    @Setting(
            value = "0.1",
            min = 0,
            max = 1,
            description =
                "Rate of the short-term average of how likely scans are (amcl's recovery_alpha_fast). By"
                    + " the share by which it is below the long-term one particles are drawn anew,"
                    + " anywhere. At this rate earlier scans' evidence for places is forgotten, too.")
        double alphaFast,
    @Setting(
            value = "0.5",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "Standard deviation of the start that --at names (amcl's initial_cov_xx).")
        double sigmaStartMetres,
    @Setting(
            value = "0.2618",
            unit = "rad",
            min = 0,
            max = 4,
            description = "Standard deviation of that heading (initial_cov_aa: 15 degrees).")
        double sigmaStartRadians,
    @Setting(
            value = "0.7",
            min = 0,
            max = 1,
            description =
                "The robot is lost when a smaller share of what its beams meet stands in the map, in"
                    + " this scan or as a mean over some ten. Found on intel and aces: in their own"
                    + " maps it is mostly 0.9 and more, at the best places of each other's 0.42 to"
                    + " 0.64.")
        double lostBelowFit,
    @Setting(
            value = "32000000",
            unit = "cells",
            min = 1,
            max = 64_000_000,
            description =
                "Largest map that a service localises in: 280 m square in cells of 5 cm. In each of"
                    + " its processes it takes some 8 bytes a cell, once for all robots in it.")
        int maxMapCells) {

  /** Returns true if the robot has moved enough for the particles to be weighed. */
  public boolean isUpdate(double metres, double radians) {
    return metres >= updateMetres || radians >= updateRadians;
  }
}
