package org.cartostream.topology.run;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.slam.localisation.LocalisationFilters;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Factory of a run's particle filters: those of mapping, of the {@link FilterFactory} on the class
 * path if there is one, or of localisation in the run's known map.
 *
 * <p>Owns the known maps of this process: one copy of each, with data derived from it, for all
 * robots and tasks, as long as any of them uses it. Thread-safe; a thread that needs a map which
 * another is unpacking waits for it.
 */
public final class RunFilters {

  /** Memory that a process needs for each cell of a known map, bytes. */
  private static final int BYTES_A_CELL = 8;

  private record Key(String digest, LocalisationSettings settings, FilterSettings filter) {}

  private static final Map<Key, WeakReference<LocalisationFilters>> SHARED = new HashMap<>();

  private RunFilters() {}

  /**
   * Returns the filters of a run.
   *
   * @param knownMap map in which the robot is localised; null if the robot makes its map
   * @throws CheckpointException if the map, or the factory on the class path, cannot be used
   */
  public static ParticleFilters<?> of(ServiceSettings settings, PackedMap knownMap)
      throws CheckpointException {
    return knownMap == null ? mapping(settings.filter()) : localisation(settings, knownMap);
  }

  private static ParticleFilters<?> mapping(FilterSettings settings) throws CheckpointException {
    try {
      List<FilterFactory> own =
          ServiceLoader.load(FilterFactory.class).stream()
              .map(ServiceLoader.Provider::get)
              .toList();
      if (own.size() > 1) {
        throw new CheckpointException(
            "the class path has %d factories of filters, %s; one would be right"
                .formatted(
                    own.size(), own.stream().map(each -> each.getClass().getName()).toList()));
      }
      return own.isEmpty() ? new MappingFilters(settings) : own.get(0).of(settings);
    } catch (ServiceConfigurationError | IllegalArgumentException e) {
      throw new CheckpointException(e.getMessage(), e);
    }
  }

  /**
   * Returns the filters of localisation in a map.
   *
   * @throws CheckpointException if the map cannot be used
   */
  public static LocalisationFilters localisation(ServiceSettings settings, PackedMap knownMap)
      throws CheckpointException {
    Key key = new Key(knownMap.digest(), settings.localisation(), settings.filter());
    synchronized (SHARED) {
      WeakReference<LocalisationFilters> held = SHARED.get(key);
      LocalisationFilters filters = held == null ? null : held.get();
      if (filters == null) {
        filters = unpack(settings, knownMap);
        SHARED.values().removeIf(each -> each.get() == null);
        SHARED.put(key, new WeakReference<>(filters));
      }
      return filters;
    }
  }

  private static LocalisationFilters unpack(ServiceSettings settings, PackedMap knownMap)
      throws CheckpointException {
    try {
      knownMap.requireAtMost(settings.localisation().maxMapCells());
      long max = settings.topology().robotBytes() / settings.topology().workers() / BYTES_A_CELL;
      knownMap.requireAtMost((int) Math.min(max, Integer.MAX_VALUE), "topology.robotMegabytes");
      return LocalisationFilters.of(settings.localisation(), settings.filter(), knownMap.unpack());
    } catch (IllegalArgumentException e) {
      throw new CheckpointException(e.getMessage(), e);
    } catch (OutOfMemoryError e) {
      throw new CheckpointException(
          "the known map of " + knownMap.cells() + " cells does not fit into the heap", e);
    }
  }
}
