package org.cartostream.slam.mapping;

import org.cartostream.slam.particle.ParticleFilter;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;

/** Mapping by the Rao-Blackwellised particle filter, see {@link MappingFilter}. */
public record MappingFilters(FilterSettings settings) implements ParticleFilters<ParticleMap> {

  @Override
  public int particles() {
    return settings.particles();
  }

  @Override
  public ParticleFilter<ParticleMap> filter(String robot, int task, TaskLayout taskLayout) {
    return new MappingFilter(settings, robot, task, taskLayout);
  }

  @Override
  public ParticleSelector selector(String robot) {
    return new Resampler(settings, robot);
  }

  /** A task's particles at the beginning of a run. */
  public static Partition<ParticleMap> partition(
      FilterSettings settings, String robot, int task, TaskLayout taskLayout, int[] numbers) {
    ParticleFilter<ParticleMap> filter = new MappingFilter(settings, robot, task, taskLayout);
    return new Partition<>(filter, task, numbers);
  }
}
