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
                "Maximum number of particles (amcl's max_particles: 2000 in nav2, 5000 in ROS 1); so"
                    + " many look for the robot.")
        int particles,
    @Setting(
            value = "500",
            min = 2,
            max = 100_000,
            description =
                "Minimum number of particles (amcl's min_particles), which is enough when all agree"
                    + " on one place; localisation.particles if that is fewer.")
        int minParticles,
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
                "Standard deviation σ_hit of a beam's end point around the wall that it hit (amcl's"
                    + " laser_sigma_hit). More than the laser's noise, as maps are inexact, too.")
        double sigmaHitMetres,
    @Setting(
            value = "0.05",
            min = 0.0001,
            max = 1,
            description =
                "Share z_rand of beams that end anywhere (amcl's laser_z_rand, with laser_z_hit"
                    + " 0.95): the floor of a beam's likelihood.")
        double zRand,
    @Setting(
            value = "30",
            min = 1,
            max = 100_000,
            description =
                "Number of independent beams that a scan counts for (amcl's laser_max_beams). Up to"
                    + " 180 are used, but neighbours see the same walls: to count each fully would"
                    + " overstate the evidence.")
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
                "Rate α_slow of the long-term average of the scans' likelihood (amcl's"
                    + " recovery_alpha_slow, the value it recommends).")
        double alphaSlow,
    @Setting(
            value = "0.1",
            min = 0,
            max = 1,
            description =
                "Rate α_fast of the short-term average of the scans' likelihood (amcl's"
                    + " recovery_alpha_fast), at which earlier evidence is forgotten, too. The"
                    + " share by which it is below the long-term one is that of particles drawn"
                    + " anew, anywhere.")
        double alphaFast,
    @Setting(
            value = "0.5",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "Standard deviation of the start position of --at (amcl's initial_cov_xx).")
        double sigmaStartMetres,
    @Setting(
            value = "0.2618",
            unit = "rad",
            min = 0,
            max = 4,
            description = "Standard deviation of the start heading (initial_cov_aa: 15 degrees).")
        double sigmaStartRadians,
    @Setting(
            value = "0.7",
            min = 0,
            max = 1,
            description =
                "Minimum share of a scan's hits on walls of the map, in this scan and as a mean"
                    + " over some ten; below it the robot is lost. Found on intel and aces: in"
                    + " their own maps it is mostly 0.9 and more, at the best places of each"
                    + " other's 0.42 to 0.64.")
        double lostBelowFit,
    @Setting(
            value = "32000000",
            unit = "cells",
            min = 1,
            max = 64_000_000,
            description =
                "Largest known map: 280 m square in cells of 5 cm by default. In each process of"
                    + " the service it takes some 8 bytes a cell, once for all robots in it.")
        int maxMapCells) {

  /** Returns true if the robot has moved enough for the particles to be weighed. */
  public boolean isUpdate(double metres, double radians) {
    return metres >= updateMetres || radians >= updateRadians;
  }
}
