package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/**
 * Settings of the motion model: GMapping's four numbers and a floor that errors never fall below.
 */
public record MotionSettings(
    @Setting(
            value = "0.07",
            unit = "m/m",
            min = 0,
            max = 10,
            description = "Translation error per translation (GMapping's srr).")
        double srr,
    @Setting(
            value = "0.2",
            unit = "rad/m",
            min = 0,
            max = 10,
            description = "Heading error per translation (GMapping's srt).")
        double srt,
    @Setting(
            value = "0.1",
            unit = "m/rad",
            min = 0,
            max = 10,
            description = "Translation error per turn (GMapping's str).")
        double str,
    @Setting(
            value = "0.2",
            unit = "rad/rad",
            min = 0,
            max = 10,
            description = "Heading error per turn (GMapping's stt).")
        double stt,
    @Setting(
            value = "0.007",
            unit = "m",
            min = 0.0001,
            max = 10,
            description =
                "Minimum translation error of a step, however small; up to four times as much where"
                    + " walls across the way show how far a short step led: there wheels may slip.")
        double floorMetres,
    @Setting(
            value = "0.01",
            unit = "rad",
            min = 0.0001,
            max = 10,
            description = "Minimum heading error of a step, however small.")
        double floorRadians) {}
