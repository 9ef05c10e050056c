package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the odometry check: when odometry is doubted, and how far a search goes. */
public record OdometrySettings(
    @Setting(
            value = "8",
            min = 1,
            max = 1000,
            description =
                "Number of latest key frames that odometry is compared with; up to twice as many.")
        int keyFrames,
    @Setting(
            value = "0.05",
            min = 0,
            max = 1,
            description =
                "Share of a scan that must contradict those before it for a doubt of odometry.")
        double doubtedShare,
    @Setting(
            value = "0.08",
            min = 0,
            max = 10,
            description =
                "Minimum gain of log likelihood per beam for a motion to replace odometry's.")
        double gain,
    @Setting(
            value = "15",
            unit = "nats",
            min = 0,
            max = 1_000_000,
            description =
                "Minimum log likelihood ratio for another motion to replace odometry's: by the scan"
                    + " alone if it was searched for, by scan and odometry together if slip could"
                    + " explain it (half of that soon after a slip); also for a difference between"
                    + " laser and odometry, in one step or summed over some, to be odometry's"
                    + " error.")
        double odds,
    @Setting(
            value = "1.6",
            unit = "m",
            min = 0,
            max = 20,
            description =
                "Reach of the wide search along x and y. A pose far from odometry's is accepted"
                    + " only if more of the scan contradicts odometry's.")
        double searchMetres,
    @Setting(
            value = "0.84",
            unit = "rad",
            min = 0,
            max = 3.2,
            description = "Reach of the wide search in heading.")
        double searchRadians,
    @Setting(
            value = "0.1",
            unit = "m",
            min = 0.0001,
            max = 10,
            description = "Standard deviation of a motion found by the laser: translation.")
        double sigmaFoundMetres,
    @Setting(
            value = "0.05",
            unit = "rad",
            min = 0.0001,
            max = 10,
            description = "Standard deviation of a motion found by the laser: heading.")
        double sigmaFoundRadians,
    @Setting(
            value = "0.05",
            unit = "m",
            min = 0,
            max = 10,
            description =
                "Standard deviation of the laser's true position around that of the log or /tf,"
                    + " along x or y. The estimate by scans corrects odometry's motions. If this or"
                    + " sigmaMountRadians is 0, place and heading are taken for right.")
        double sigmaMountMetres,
    @Setting(
            value = "0.03",
            unit = "rad",
            min = 0,
            max = 10,
            description =
                "Standard deviation of the laser's true heading around that of the log or /tf.")
        double sigmaMountRadians,
    @Setting(
            value = "2000",
            unit = "beams",
            min = 10,
            max = 1_000_000,
            description =
                "Maximum number of beams for the check of odometry, which uses every second, third"
                    + " … of larger scans, as other robots wait. Particles are matched with all.")
        int maxBeams) {}
