package org.cartostream.topology.run;

import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.settings.FilterSettings;

/**
 * Factory of particle filters of one's own, which a service runs in place of its own mapping, for
 * robots that make their map. Whatever the filter's particles are, the map is drawn along the best
 * one's path.
 *
 * <p>A jar on the class path names its factory in {@code
 * META-INF/services/org.cartostream.topology.run.FilterFactory}, as {@link java.util.ServiceLoader}
 * wants it, and has the types of its filter's state in {@code org/cartostream/state-types}. Such a
 * jar goes to the workers of a cluster with the topology.
 */
public interface FilterFactory {

  /**
   * Returns the filters of a run.
   *
   * @throws IllegalArgumentException if the settings do not suit the filters; the message says what
   *     would
   */
  ParticleFilters<?> of(FilterSettings settings);
}
