package org.cartostream.slam.particle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.slam.motion.Step;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * A run of any filter whose particles lie on several tasks, which hand them to each other at random
 * at each resampling.
 *
 * <p>Owns the partitions, what decides over them, and who has which particle.
 */
public final class SharedRun<C> {

  private static final String ROBOT = "robot";

  private final ParticleFilters<C> filters;
  private final ParticleSelector selector;
  private final Random random;
  private List<Partition<C>> partitions = new ArrayList<>();
  private int tasks;
  private int[] owners;
  private int moved;

  /**
   * What all tasks know after a step.
   *
   * @param all weights, by particle
   */
  public record Decided(ParticleWeights all, Resampling resampling) {

    /**
     * All that both have but for some components. AssertJ compares arrays in an array as a whole
     * and to the last bit; a recursive comparison would look at each number by reflection.
     *
     * @param except names of components
     */
    public Object[] values(String... except) {
      return Stream.of(all, resampling)
          .flatMap(
              each ->
                  Arrays.stream(each.getClass().getRecordComponents())
                      .map(
                          component ->
                              Set.of(except).contains(component.getName())
                                  ? null
                                  : ReflectionSupport.invokeMethod(component.getAccessor(), each)))
          .toArray();
    }
  }

  public SharedRun(ParticleFilters<C> filters, int tasks) {
    this.filters = filters;
    this.selector = filters.selector(ROBOT);
    this.random = new Random(tasks);
    this.tasks = tasks;
    this.owners = IntStream.range(0, filters.particles()).map(i -> i % tasks).toArray();
    for (int task = 0; task < tasks; task++) {
      int own = task;
      int[] numbers = IntStream.range(0, owners.length).filter(i -> owners[i] == own).toArray();
      partitions.add(new Partition<>(filter(task), task, numbers));
    }
  }

  private ParticleFilter<C> filter(int task) {
    return filters.filter(ROBOT, task, new TaskLayout(tasks, 0));
  }

  /** How many particles went from task to task. */
  public int moved() {
    return moved;
  }

  /** Takes a key frame. Each task does as much ahead as it happens to. */
  public Decided keyFrame(Step step) {
    ParticleWeights all =
        ParticleWeights.merge(
            owners.length, partitions.stream().map(part -> part.match(step)).toList());
    for (Partition<C> partition : partitions) {
      for (int left = random.nextInt(3); left > 0 && partition.updateMapsAhead(); left--) {}
    }
    Resampling resampling = selector.resample(all);
    int[] after = resampling.resampled() ? anywhere(resampling.parents().length) : owners;
    List<ParticleMove> moves = ParticleMove.between(resampling.parents(), owners, after);
    List<ParticleTransfer> transfers =
        moves.stream().map(move -> partitions.get(move.from()).send(move)).toList();
    partitions.forEach(partition -> partition.resample(resampling, after));
    for (int task = 0; task < tasks; task++) {
      int to = task;
      partitions
          .get(task)
          .receive(
              IntStream.range(0, moves.size())
                  .filter(i -> moves.get(i).to() == to)
                  .mapToObj(transfers::get)
                  .toList());
    }
    partitions.forEach(Partition::updateMap);
    owners = after;
    moved += moves.size();
    return new Decided(all, resampling);
  }

  private int[] anywhere(int particles) {
    return IntStream.range(0, particles).map(i -> random.nextInt(tasks)).toArray();
  }

  /** So many tasks share the particles from now on, whichever each gets. */
  public void shareAmong(int others) {
    tasks = others;
    owners = anywhere(owners.length);
    List<Partition<C>> shared = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      shared.add(Partition.of(filter(task), task, partitions, owners));
    }
    partitions = shared;
  }
}
