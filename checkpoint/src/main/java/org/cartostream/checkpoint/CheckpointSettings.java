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
                "Time from one checkpoint to the next. A checkpoint is a run's whole state on disk,"
                    + " from which it goes on after a failure. Longer if a task would spend more"
                    + " than a fortieth of its time on it; 0 for none.")
        double everySeconds,
    @Setting(
            value = "",
            description =
                "Folder of a service's checkpoints; on several hosts one that all of them see, or a"
                    + " bucket: s3://BUCKET/FOLDER. Empty for none: after a failure a run then"
                    + " begins anew, with the readings that are still held.")
        String folder,
    @Setting(
            value = "0",
            unit = "MB",
            min = 0,
            max = 1_000_000,
            description =
                "Maximum memory for the readings of all robots while no checkpoint can be stored."
                    + " Beyond it the robot with most drops its oldest: its run goes on, but cannot"
                    + " be restored. 0 for a quarter of the heap.")
        double heldMegabytes) {

  private static final int PART_OF_HEAP = 4;

  /** Returns the default settings with a checkpoint every {@code seconds}. */
  public static CheckpointSettings every(double seconds) {
    CheckpointSettings defaults = Settings.defaults(CheckpointSettings.class);
    return new CheckpointSettings(seconds, defaults.folder(), defaults.heldMegabytes());
  }

  /**
   * Returns the number of bytes that readings of all robots may take in memory while no checkpoint
   * can be stored.
   */
  public long heldBytes() {
    return heldMegabytes == 0
        ? Runtime.getRuntime().maxMemory() / PART_OF_HEAP
        : (long) (heldMegabytes * (1 << 20));
  }
}
