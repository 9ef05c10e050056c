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
                "Maximum distance from the path at which earlier places are looked for that the"
                    + " robot may have come back to, during the run and at its end; less where the"
                    + " path is more certain, as the time grows with the square of the uncertainty."
                    + " 0 for no loop closure.")
        double searchMetres,
    @Setting(
            value = "true",
            description =
                "Whether loops are closed during the run, too: the robot's pose, the map that it is"
                    + " sent and `map` to `odom` are corrected at once when it has come back"
                    + " somewhere. If false, loops are closed when the run ends.")
        boolean online,
    @Setting(
            value = "10",
            unit = "readings",
            min = 1,
            max = 1000,
            description =
                "Number of readings after which a search for loops takes effect, however long it"
                    + " took, so that the answer does not depend on time: a reading that comes"
                    + " earlier waits. A search takes up to 0.2 s; the default is a second of a"
                    + " robot that sends ten readings a second.")
        int delayReadings) {

  /** True if loops are closed on the way. */
  public boolean closesOnline() {
    return online && searchMetres > 0;
  }
}
