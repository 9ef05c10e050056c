package org.cartostream.slam.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.slam.transfer.AncestorIndex;

/**
 * A run whose particles lie on several partitions, which hand them to each other at random at each
 * resampling.
 *
 * <p>Owns the partitions, what is decided over them, and who has which particle.
 */
final class PartitionedRun {

  private final FilterSettings settings;
  private TaskLayout taskLayout;
  private final Random random;
  private final TrajectoryTree trajectoryTree;
  private List<Partition<ParticleMap>> partitions = new ArrayList<>();
  private final Resampler resampler;
  private AncestorIndex ancestorIndex;
  private int[] owner;
  private int moved;
  private long bytes;

  /** How many particles there have been. */
  private final Set<Integer> numbers = new TreeSet<>();

  PartitionedRun(FilterSettings settings, int tasks, int reach) {
    this.settings = settings;
    this.taskLayout = new TaskLayout(tasks, reach);
    this.random = new Random(tasks);
    this.trajectoryTree = new TrajectoryTree(settings);
    this.resampler = new Resampler(settings, "robot");
    this.ancestorIndex = new AncestorIndex(settings.particles(), taskLayout);
    this.owner = IntStream.range(0, settings.particles()).map(i -> i % tasks).toArray();
    for (int task = 0; task < tasks; task++) {
      partitions.add(MappingFilters.partition(settings, "robot", task, taskLayout, of(task)));
    }
  }

  /** Numbers of the particles that a task has, ascending. */
  int[] of(int task) {
    return IntStream.range(0, owner.length).filter(i -> owner[i] == task).toArray();
  }

  TrajectoryTree trajectoryTree() {
    return trajectoryTree;
  }

  /** How many particles moved with the latest scan in their maps. */
  int moved() {
    return moved;
  }

  /** How many particles it has had after a key frame, each number once. */
  Set<Integer> numbers() {
    return numbers;
  }

  /** What all moves took. */
  long bytes() {
    return bytes;
  }

  /**
   * Takes a key frame.
   *
   * @param next the one after it, null if there is none
   * @param pieces how many a partition does of what comes later before it is decided who goes on
   */
  void keyFrame(Step step, Step next, IntSupplier pieces) {
    ParticleWeights all =
        ParticleWeights.merge(
            owner.length, partitions.stream().map(part -> part.match(step)).toList());
    for (Partition<ParticleMap> partition : partitions) {
      boolean more = true;
      for (int left = pieces.getAsInt(); left > 0 && more; left--) {
        more = partition.updateMapsAhead() || (next != null && partition.matchAhead(next));
      }
    }
    Resampling resampling = resampler.resample(all);
    int[] after = resampling.resampled() ? anywhere(resampling.parents().length) : owner;
    List<ParticleMove> particleMoves =
        ParticleMove.between(resampling.parents(), owner, after).stream()
            .map(ancestorIndex::withAncestor)
            .toList();
    ancestorIndex.advance(resampling, after);
    List<ParticleTransfer> particleTransfers =
        particleMoves.stream()
            .map(particleMove -> partitions.get(particleMove.from()).send(particleMove))
            .toList();
    moved += (int) particleTransfers.stream().filter(ParticleTransfer::updated).count();
    bytes += particleTransfers.stream().mapToLong(ParticleTransfer::bytes).sum();
    partitions.forEach(partition -> partition.resample(resampling, after));
    for (int task = 0; task < taskLayout.tasks(); task++) {
      int to = task;
      partitions
          .get(task)
          .receive(
              IntStream.range(0, particleMoves.size())
                  .filter(i -> particleMoves.get(i).to() == to)
                  .mapToObj(particleTransfers::get)
                  .toList());
    }
    partitions.forEach(Partition::updateMap);
    trajectoryTree.addKeyFrame(step, all, resampling);
    owner = after;
    numbers.add(owner.length);
  }

  private int[] anywhere(int particles) {
    return random.ints(particles, 0, taskLayout.tasks()).toArray();
  }

  /** So many tasks share the particles from now on, whichever each gets. */
  void shareAmong(int tasks) {
    taskLayout = new TaskLayout(tasks, taskLayout.reach());
    int[] after = anywhere(owner.length);
    List<Partition<ParticleMap>> shared = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      shared.add(
          Partition.of(
              new MappingFilter(settings, "robot", task, taskLayout), task, partitions, after));
    }
    partitions = shared;
    owner = after;
    ancestorIndex = new AncestorIndex(owner.length, taskLayout);
    ancestorIndex.restart(owner);
  }
}
