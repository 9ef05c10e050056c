package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the scan matcher. */
public record MatcherSettings(
    @Setting(
            value = "0.05",
            unit = "m",
            min = 0.001,
            max = 1,
            description =
                "First step of the hill climb along x and y; halved before each refinement.")
        double stepMetres,
    @Setting(
            value = "0.05",
            unit = "rad",
            min = 0.001,
            max = 1,
            description = "First step of the hill climb in heading; halved before each refinement.")
        double stepRadians,
    @Setting(value = "5", min = 0, max = 20, description = "Number of halvings of the steps.")
        int refinements,
    @Setting(
            value = "200",
            min = 1,
            max = 1_000_000,
            description =
                "Maximum number of poses that the hill climb evaluates before it stops (cutoff).")
        int maxEvaluations,
    @Setting(
            value = "0.10",
            unit = "m",
            min = 0.001,
            max = 10,
            description = "Initial standard deviation of the hill climb's Gaussian kernel.")
        double kernelMetres,
    @Setting(
            value = "0.07",
            unit = "m",
            min = 0.001,
            max = 10,
            description = "Minimum standard deviation of the kernel, halved with the step.")
        double minKernelMetres,
    @Setting(
            value = "0.06",
            unit = "m",
            min = 0.001,
            max = 10,
            description =
                "Standard deviation σ_hit of a beam's end point around its wall, for the weights.")
        double sigmaHitMetres,
    @Setting(
            value = "0.15",
            min = 0.0001,
            max = 1,
            description =
                "Floor z_rand of a beam's likelihood, for beams that end far from any wall.")
        double zRand,
    @Setting(
            value = "0.05",
            unit = "m",
            min = 0.001,
            max = 1,
            description = "Step at which the likelihood's curvature along x and y is measured.")
        double curvatureMetres,
    @Setting(
            value = "0.02",
            unit = "rad",
            min = 0.001,
            max = 1,
            description = "Step at which the likelihood's curvature in heading is measured.")
        double curvatureRadians) {}
