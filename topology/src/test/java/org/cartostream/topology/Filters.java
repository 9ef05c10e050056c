package org.cartostream.topology;

import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;

/** Settings of small filters for tests. */
public final class Filters {

  private Filters() {}

  /** However the defaults are tuned: one whose particles soon differ, are resampled and move. */
  public static FilterSettings restless(int particles) {
    return Settings.build(
        FilterSettings.class,
        Map.of(
            "particles",
            Integer.toString(particles),
            "seed",
            "3",
            "weightShare",
            "0.5",
            "resampleBelow",
            "0.8"));
  }
}
