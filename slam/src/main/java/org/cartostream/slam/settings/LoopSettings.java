package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the loop closure at a path's end. */
public record LoopSettings(
    @Setting(
            value = "6",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "At the end, earlier places that the robot may have come back to are looked for this"
                    + " far around the filter's path; 0 leaves the path as the filter has it.")
        double searchMetres) {}
