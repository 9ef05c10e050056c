package org.cartostream.checkpoint;

import org.cartostream.settings.Setting;
import org.cartostream.settings.Settings;

/** Settings of the checkpoints of a run. */
public record CheckpointSettings(
    @Setting(
            value = "7",
            unit = "s",
            min = 0,
            max = 86400,
            description =
                "So often the whole state of a run is written to disk, so that the run can go on"
                    + " from there after a failure; rarer, if a task would need more than a"
                    + " fortieth of its time for it; 0 writes none.")
        double everySeconds,
    @Setting(
            value = "",
            description =
                "The folder for a service's checkpoints; on several hosts one that all of them"
                    + " see, or a bucket: s3://BUCKET/FOLDER. Empty for none: after a failure a run"
                    + " then begins anew, with the readings that are still held.")
        String folder,
    @Setting(
            value = "20000",
            unit = "readings",
            min = 1,
            max = 10_000_000,
            description =
                "So many readings of a robot are held while no checkpoint can be stored; beyond"
                    + " that the run goes on, but cannot be restored.")
        int heldReadings) {

  /** The defaults, but so often. */
  public static CheckpointSettings every(double seconds) {
    CheckpointSettings defaults = Settings.defaults(CheckpointSettings.class);
    return new CheckpointSettings(seconds, defaults.folder(), defaults.heldReadings());
  }
}
