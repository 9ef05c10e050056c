package org.cartostream.slam.settings;

import org.cartostream.settings.Setting;

/** Settings of the loop closure, on the way and at a path's end. */
public record LoopSettings(
    @Setting(
            value = "12",
            unit = "m",
            min = 0,
            max = 100,
            description =
                "Earlier places that the robot may have come back to are looked for around its path"
                    + " as far as it is uncertain, and at most this far, on the way and at the end;"
                    + " 0 leaves the path as the filter has it. The time grows with the square of"
                    + " what it is uncertain by.")
        double searchMetres,
    @Setting(
            value = "true",
            description =
                "Close loops on the way, too: the robot's pose, the map that it is sent and"
                    + " `map` to `odom` are corrected at once when it has come back somewhere. If"
                    + " false, loops are closed when the run ends.")
        boolean online,
    @Setting(
            value = "10",
            unit = "readings",
            min = 1,
            max = 1000,
            description =
                "What is found of the path up to one reading counts from this many readings later,"
                    + " however long the search took, so that the answer does not depend on time:"
                    + " a reading that comes earlier waits for it. A search takes up to 0.2 s, a"
                    + " second of a robot that sends ten readings a second is enough.")
        int delayReadings) {

  /** True if loops are closed on the way. */
  public boolean closesOnline() {
    return online && searchMetres > 0;
  }
}
