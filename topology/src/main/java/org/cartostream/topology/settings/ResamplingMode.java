package org.cartostream.topology.settings;

import java.util.Locale;

/**
 * The way in which a run's tasks resample: which task decides which particles survive, and how
 * particles move between tasks. The filter's answer is the same in both modes.
 */
public enum ResamplingMode {
  /** One resampler task decides for all tasks; particles move as messages of the topology. */
  DATAFLOW,

  /**
   * Bulk-synchronous parallel (Valiant 1990): the tasks exchange their particles' weights, each
   * makes the same decision, and they exchange particles, all by collective operations.
   */
  BSP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
