package org.cartostream.slam.mapping;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.particle.Particle;
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

  /** Returns a task's particles at the beginning of a run. */
  public static Partition<ParticleMap> partition(
      FilterSettings settings, String robot, int task, TaskLayout taskLayout, int[] numbers) {
    ParticleFilter<ParticleMap> filter = new MappingFilter(settings, robot, task, taskLayout);
    return new Partition<>(filter, task, numbers);
  }

  /** Returns all particles of a run with a single task, at the starting map's pose. */
  static Partition<ParticleMap> partition(
      FilterSettings settings, String robot, int task, StartingMap startingMap) {
    ParticleMap walls = new ParticleMap(startingMap.walls(), null);
    List<Particle<ParticleMap>> first = new ArrayList<>();
    for (int number = 0; number < settings.particles(); number++) {
      first.add(new Particle<>(number, startingMap.start(), walls, false));
    }
    return new Partition<>(
        new MappingFilter(settings, robot, task, TaskLayout.OF_ONE), task, first);
  }
}
