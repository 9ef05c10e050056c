package org.cartostream.slam.localisation;

import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;

/**
 * Monte Carlo localisation in a known map, see {@link LocalisationFilter}. Owns the known map with
 * the data derived from it. Immutable, so any number of tasks, threads and robots may share it.
 */
public final class LocalisationFilters implements ParticleFilters<Void> {

  private final LocalisationModel model;

  private LocalisationFilters(LocalisationModel model) {
    this.model = model;
  }

  /** Returns the filters of a run in a known map. */
  public static LocalisationFilters of(
      LocalisationSettings settings, FilterSettings filterSettings, ServerMap map) {
    return new LocalisationFilters(LocalisationModel.of(settings, filterSettings, map));
  }

  LocalisationModel model() {
    return model;
  }

  @Override
  public int particles() {
    return model.settings().particles();
  }

  @Override
  public ParticleFilter<Void> filter(String robot, int task, TaskLayout taskLayout) {
    return new LocalisationFilter(this, robot);
  }

  @Override
  public ParticleSelector selector(String robot) {
    return new AugmentedMclSelector(model.settings(), model.filterSettings().seed(), robot);
  }
}
