package org.cartostream.topology.settings;

import java.util.Locale;

/**
 * The way in which the tasks resample together: who decides which particles survive, and how
 * particles move between tasks. The filter's answer is the same in both modes.
 */
public enum ResamplingMode {
  /** One resampler task decides for all; particles move as messages of the topology. */
  DATAFLOW,

  /**
   * Bulk-synchronous parallel (Valiant 1990): the tasks exchange their particles' weights, each
   * takes the same decision, and they exchange particles, all by collectives.
   */
  BSP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
