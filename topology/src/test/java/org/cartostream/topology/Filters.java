package org.cartostream.topology;

import java.util.HashMap;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;

/** Settings of small filters for tests. */
public final class Filters {

  private Filters() {}

  /** However the defaults are tuned: one whose particles soon differ, are resampled and move. */
  public static FilterSettings restless(int particles) {
    return Settings.build(FilterSettings.class, values(particles));
  }

  /** The same, with as many particles as their spread needs: from 2 to this number. */
  static FilterSettings adaptive(int particles) {
    Map<String, String> values = values(particles);
    values.put("adaptive.minParticles", "2");
    values.put("adaptive.kldError", "1");
    values.put("adaptive.binMetres", "0.04");
    return Settings.build(FilterSettings.class, values);
  }

  private static Map<String, String> values(int particles) {
    return new HashMap<>(
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
