package org.cartostream.slam.filter;

import org.cartostream.slam.config.Setting;

/** Which readings become key frames, and which are refused. */
public record IntakeSettings(
    @Setting(
            value = "0.02",
            unit = "m",
            min = 0,
            max = 100,
            says = "A reading this far from the last key frame becomes one.")
        double keyFrameMetres,
    @Setting(
            value = "0.01",
            unit = "rad",
            min = 0,
            max = 7,
            says = "A reading turned this far from the last key frame becomes one.")
        double keyFrameRadians,
    @Setting(
            value = "10",
            unit = "m",
            min = 0,
            says = "A reading whose odometry lies this far from the last one's has jumped.")
        double jumpMetres) {}
