package org.cartostream.topology.match;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.Partition;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.Component;

/**
 * Reader of the particles and the coordinator in a checkpoint, for a number of tasks, or a {@link
 * org.cartostream.topology.settings.ResamplingMode}, that may differ from the checkpoint's.
 */
final class SavedLayout {

  private static final String RESAMPLER = TaskCheckpoints.partName(Component.Resampler.class, 0);

  private final TaskCheckpoints checkpoints;
  private final Payload.Restore restore;
  private final ServiceSettings settings;
  private final ParticleFilters<?> filters;
  private final int tasks;

  /**
   * @param restore message with the checkpoint to restore
   * @param filters factory of the run's particle filters
   * @param tasks number of tasks that hold particles from now on
   */
  SavedLayout(
      TaskCheckpoints checkpoints,
      Payload.Restore restore,
      ServiceSettings settings,
      ParticleFilters<?> filters,
      int tasks) {
    this.checkpoints = checkpoints;
    this.restore = restore;
    this.settings = settings;
    this.filters = filters;
    this.tasks = tasks;
  }

  /** Returns true if there is no checkpoint, so that the run begins with nothing. */
  boolean isEmpty() {
    return restore.parts().length == 0;
  }

  /**
   * Returns a task's particles, and the number of the latest key frame that is entered into their
   * maps.
   *
   * @throws IOException if a part cannot be read
   */
  MatcherBolt.State matcher(int task) throws IOException {
    List<String> names = matcherNames();
    if (names.size() == tasks) {
      MatcherBolt.State own = state(TaskCheckpoints.partName(Component.Matchers.class, task));
      resume(own.partition(), filters);
      return own;
    }
    List<Partition<?>> all = new ArrayList<>();
    long done = 0;
    for (String name : names) {
      MatcherBolt.State state = state(name);
      all.add(state.partition());
      done = state.done();
    }
    return new MatcherBolt.State(shared(filters, task, all), done, null);
  }

  @SuppressWarnings("unchecked")
  private static <C> void resume(Partition<?> partition, ParticleFilters<C> filters) {
    ((Partition<C>) partition).resume(filters);
  }

  /**
   * Returns a task's share of the particles of all old partitions. The cast is safe, since a run
   * keeps its settings and so its type of filter.
   */
  @SuppressWarnings("unchecked")
  private <C> Partition<C> shared(ParticleFilters<C> of, int task, List<Partition<?>> all) {
    int[] owners = Assignment.initial(all.get(0).total(), tasks);
    String robot = restore.run().robot();
    return Partition.of(
        of.filter(robot, task, settings.team(tasks)),
        task,
        (List<Partition<C>>) (List<?>) all,
        owners);
  }

  /** Returns the coordinator of a run that begins. */
  ResamplingCoordinator newCoordinator() {
    return new ResamplingCoordinator(settings, filters, restore.run().robot(), tasks);
  }

  /**
   * Returns the saved coordinator, whether the resampler or the matchers had it.
   *
   * @throws IOException if the part with the coordinator cannot be read
   */
  ResamplingCoordinator coordinator() throws IOException {
    Optional<ResamplingCoordinator> own =
        has(RESAMPLER)
            ? Optional.of(checkpoints.load(restore, RESAMPLER, ResamplingCoordinator.class))
            : Optional.empty();
    ResamplingCoordinator saved =
        own.isPresent() ? own.get() : state(matcherNames().get(0)).coordinator();
    return saved.tasks() == tasks ? saved : saved.withLayout(settings, tasks);
  }

  private MatcherBolt.State state(String name) throws IOException {
    return checkpoints.load(restore, name, MatcherBolt.State.class);
  }

  private boolean has(String name) {
    for (CheckpointPart part : restore.parts()) {
      if (part.name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the names of the parts with particles, in the order of their tasks. */
  private List<String> matcherNames() {
    List<String> names = new ArrayList<>();
    String name = TaskCheckpoints.partName(Component.Matchers.class, 0);
    while (has(name)) {
      names.add(name);
      name = TaskCheckpoints.partName(Component.Matchers.class, names.size());
    }
    return names;
  }
}
