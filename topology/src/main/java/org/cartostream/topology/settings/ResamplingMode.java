package org.cartostream.topology.settings;

import java.util.Locale;

/**
 * The way in which tasks resample together: who decides which particles go on, and how they change
 * tasks. The answer is the same.
 */
public enum ResamplingMode {
  /** A task of its own decides for all; particles travel as messages of the topology. */
  DATAFLOW,

  /**
   * Bulk-synchronous parallel (Valiant 1990): the tasks send each other their particles' weights,
   * each decides the same, and they exchange particles, all by collectives.
   */
  BSP;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
