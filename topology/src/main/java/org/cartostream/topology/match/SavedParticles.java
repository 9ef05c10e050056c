package org.cartostream.topology.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.RunState;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;

/**
 * The particles of a run from its service's checkpoint, merged into one partition.
 *
 * @param partition all particles
 * @param selector state of the resampling, which selects the particles that survive
 */
public record SavedParticles<C>(Partition<C> partition, ParticleSelector selector) {

  private static final int TASK = 0;

  /**
   * Names of two parts of a service with one task: the task's part with all particles, and the
   * resampler's part.
   */
  private static final String PARTICLES = TaskCheckpoints.partName(Component.Matchers.class, TASK);

  private static final String DECISIONS = TaskCheckpoints.partName(Component.Resampler.class, TASK);

  /**
   * Returns the parts, by their names, of a checkpoint with these particles, such as a service with
   * one task would write.
   *
   * @param reading number of the latest reading that is entered into the particles' maps
   */
  public Map<String, Object> parts(
      ServiceSettings settings, ParticleFilters<C> filters, long reading) {
    return Map.of(
        PARTICLES,
        new MatcherBolt.State(partition, reading, null),
        DECISIONS,
        ResamplingCoordinator.resumed(settings, selector, partition.size()));
  }

  /**
   * Reads all particles of a run's state.
   *
   * @param filters factory of the run's particle filters
   * @throws IOException if a part cannot be read, or was written by another version of the program
   */
  @SuppressWarnings("unchecked") // A run keeps its type of filter.
  public static <C> SavedParticles<C> of(RunState state, ParticleFilters<C> filters, String robot)
      throws IOException {
    String matcher = Component.nameOf(Component.Matchers.class).toLowerCase(Locale.ROOT);
    List<Partition<C>> all = new ArrayList<>();
    ResamplingCoordinator coordinator = null;
    for (CheckpointPart part : state.manifest().parts()) {
      if (part.name().equals(DECISIONS)) {
        coordinator = state.read(part.name(), ResamplingCoordinator.class);
      } else if (part.name().startsWith(matcher + "-")) {
        MatcherBolt.State saved = state.read(part.name(), MatcherBolt.State.class);
        all.add((Partition<C>) saved.partition());
        coordinator = saved.coordinator() == null ? coordinator : saved.coordinator();
      }
    }
    Partition<C> together =
        Partition.of(
            filters.filter(robot, TASK, TaskLayout.OF_ONE), TASK, all, new int[all.get(0).total()]);
    return new SavedParticles<>(together, coordinator.selector());
  }
}
