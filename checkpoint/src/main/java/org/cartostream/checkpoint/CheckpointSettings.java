package org.cartostream.checkpoint;

import org.cartostream.settings.Setting;

/** Settings of the checkpoints of a run. */
public record CheckpointSettings(
    @Setting(
            value = "30",
            unit = "s",
            min = 0,
            max = 86400,
            description =
                "So often the state of a run is written to disk, so that the run can go on from"
                    + " there after a failure; rarer if it takes more than a fortieth of the"
                    + " time; 0 writes none.")
        double everySeconds) {}
