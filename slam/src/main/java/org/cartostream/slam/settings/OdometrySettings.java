package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the odometry check: when odometry is doubted, and how far a search goes. */
public record OdometrySettings(
    @Setting(
            value = "8",
            min = 1,
            max = 1000,
            description =
                "Odometry is compared with what so many key frames saw, or up to twice as many.")
        int keyFrames,
    @Setting(
            value = "0.05",
            min = 0,
            max = 1,
            description =
                "Odometry is doubted when this share of a scan contradicts those before it.")
        double doubtedShare,
    @Setting(
            value = "0.08",
            min = 0,
            max = 10,
            description =
                "Log likelihood per beam that another motion must gain to replace odometry's.")
        double gain,
    @Setting(
            value = "15",
            unit = "nats",
            min = 0,
            max = 1_000_000,
            description =
                "By how much another motion must be more likely than odometry's to replace it:"
                    + " by the scan alone if it was searched for, by scan and odometry together"
                    + " if slip could explain it (half of that soon after a slip); and how"
                    + " unlikely the difference between laser and odometry must be, in one step"
                    + " or added up over some.")
        double odds,
    @Setting(
            value = "1.6",
            unit = "m",
            min = 0,
            max = 20,
            description =
                "How far the wide search looks along x and y. What is found far from odometry's"
                    + " pose must contradict that in the more of the scan.")
        double searchMetres,
    @Setting(
            value = "0.84",
            unit = "rad",
            min = 0,
            max = 3.2,
            description = "How far the wide search turns.")
        double searchRadians,
    @Setting(
            value = "0.1",
            unit = "m",
            min = 0.0001,
            max = 10,
            description = "Translation error of a motion that is the laser's.")
        double sigmaFoundMetres,
    @Setting(
            value = "0.05",
            unit = "rad",
            min = 0.0001,
            max = 10,
            description = "Heading error of a motion that is the laser's.")
        double sigmaFoundRadians,
    @Setting(
            value = "0.05",
            unit = "m",
            min = 0,
            max = 10,
            description =
                "How far the laser may stand from where the log or /tf has it, along x or y:"
                    + " standard deviation. What scans tell of it corrects odometry's motions. If this"
                    + " or sigmaMountRadians is 0, place and heading are taken for right.")
        double sigmaMountMetres,
    @Setting(
            value = "0.03",
            unit = "rad",
            min = 0,
            max = 10,
            description = "How far it may be turned from there, about itself: standard deviation.")
        double sigmaMountRadians,
    @Setting(
            value = "2000",
            unit = "beams",
            min = 10,
            max = 1_000_000,
            description =
                "Of a scan with more beams, the check looks at every second, third … one: it is made"
                    + " in one go, while other robots wait. The particles are matched with all.")
        int maxBeams) {}
