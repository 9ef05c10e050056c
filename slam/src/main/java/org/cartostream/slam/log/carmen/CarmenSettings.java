package org.cartostream.slam.log.carmen;

import org.cartostream.settings.Setting;
import org.cartostream.settings.Settings;

/** Settings for CARMEN logs: properties of the laser that their lines leave open. */
public record CarmenSettings(
    @Setting(
            value = "0",
            unit = "degrees",
            min = 0,
            max = 360,
            description =
                "Field of view of FLASER scans, which do not state it: the angle from the first"
                    + " beam to the last, centred ahead; 360 for a full turn, whose last beam is a"
                    + " step before the first. 0 for the log's PARAM laser_front_laser_resolution,"
                    + " or else the usual one for the number of beams.")
        double flaserDegrees) {

  /** The key of {@link #flaserDegrees} in the whole configuration. */
  public static final String FLASER_DEGREES = "carmen.flaserDegrees";

  /**
   * Least field of view that is accepted, degrees: a smaller number was probably meant in radians.
   */
  private static final double MIN_DEGREES = 10;

  /**
   * @throws IllegalArgumentException if the field of view is too narrow for a laser's
   */
  public CarmenSettings {
    if (flaserDegrees != 0 && flaserDegrees < MIN_DEGREES) {
      throw new IllegalArgumentException(
          FLASER_DEGREES
              + ": "
              + flaserDegrees
              + " degrees are no laser's field of view; it must be from 10 to 360 degrees (not"
              + " radians), or 0 for what the number of beams stands for");
    }
  }

  /** Every default. */
  public static CarmenSettings defaults() {
    return Settings.defaults(CarmenSettings.class);
  }
}
