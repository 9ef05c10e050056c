package org.cartostream.topology.match;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleSelector;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.transfer.AncestorIndex;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.assignment.LoadBalancer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.WeightReport;

/**
 * Coordinator of one run's resampling: when the weights of all tasks for a key frame have come, it
 * decides which particles survive, and on which tasks. Decisions are a pure function of the weight
 * reports, so that all coordinators of a run decide the same.
 *
 * <p>Owns the run's {@link ParticleSelector}, the tasks' {@link LoadBalancer}, the task of each
 * particle, and the {@link AncestorIndex} of the maps that each task has.
 */
public final class ResamplingCoordinator {

  /**
   * The decision about a key frame, with the weights.
   *
   * @param all weights of all particles
   * @param before task that weighed each particle
   * @param resampling which particles survive
   * @param owners task of each new particle
   * @param moves particles that change tasks
   * @param nanos time that the decision took, nanoseconds
   */
  public record Decision(
      ParticleWeights all,
      int[] before,
      Resampling resampling,
      int[] owners,
      ParticleMove[] moves,
      long nanos) {

    /** Returns the message with the decision to the publisher. */
    Payload.ResamplingResult result(Run run) {
      return new Payload.ResamplingResult(run, all, before, resampling, nanos);
    }
  }

  /** Maximum number of tasks in a state that is read, as in the settings. */
  private static final int MAX_TASKS = 1024;

  private final ParticleSelector selector;
  private final int tasks;
  private final AncestorIndex ancestorIndex;
  private final LoadBalancer loadBalancer;

  /**
   * Reports for the key frame that is not decided yet, by task; not saved, as they come again after
   * a restore.
   */
  private transient WeightReport[] reports;

  private int[] owners;
  private long decided;

  /** Makes the coordinator of a run that begins. */
  public ResamplingCoordinator(
      ServiceSettings settings, ParticleFilters<?> filters, String robot, int tasks) {
    this(settings, filters.selector(robot), Assignment.initial(filters.particles(), tasks), tasks);
  }

  private ResamplingCoordinator(
      ServiceSettings settings, ParticleSelector selector, int[] owners, int tasks) {
    this.selector = selector;
    this.tasks = tasks;
    this.ancestorIndex = new AncestorIndex(owners.length, settings.team(tasks));
    this.loadBalancer =
        new LoadBalancer(
            settings.topology().balanceTolerance(), Assignment.places(owners.length, tasks));
    this.reports = new WeightReport[tasks];
    this.owners = owners;
  }

  /**
   * Completes the object after it was decoded, see {@link org.cartostream.checkpoint.StateCodec}.
   */
  private Object readResolve() {
    if (tasks < 1 || tasks > MAX_TASKS) {
      throw new IllegalStateException("a state of " + tasks + " tasks is damaged");
    }
    reports = new WeightReport[tasks];
    return this;
  }

  /** Returns a coordinator with the same particles, divided among another number of tasks. */
  ResamplingCoordinator withLayout(ServiceSettings settings, int newTasks) {
    ResamplingCoordinator coordinator =
        new ResamplingCoordinator(
            settings, selector, Assignment.initial(owners.length, newTasks), newTasks);
    coordinator.ancestorIndex.restart(coordinator.owners);
    coordinator.decided = decided;
    return coordinator;
  }

  /** Returns the coordinator of a run that was processed by one thread before, for one task. */
  static ResamplingCoordinator resumed(
      ServiceSettings settings, ParticleSelector selector, int particles) {
    return new ResamplingCoordinator(settings, selector, new int[particles], 1)
        .withLayout(settings, 1);
  }

  /** Returns the selector of the particles that survive. */
  ParticleSelector selector() {
    return selector;
  }

  /** Returns the number of tasks that share the particles. */
  int tasks() {
    return tasks;
  }

  /**
   * Takes a task's report; returns the decision when every task has reported. A repeated report is
   * ignored.
   *
   * @throws LostMessageException if weights of an earlier key frame are missing
   */
  Optional<Decision> receive(int task, WeightReport weightReport) {
    long sequence = weightReport.weights().sequence();
    if (sequence <= decided) {
      return Optional.empty();
    }
    for (WeightReport other : reports) {
      if (other != null && other.weights().sequence() != sequence) {
        throw new LostMessageException(
            "weights of reading " + other.weights().sequence() + " did not come from all tasks");
      }
    }
    reports[task] = weightReport;
    List<WeightReport> parts = Arrays.asList(reports);
    if (parts.contains(null)) {
      return Optional.empty();
    }
    Decision decision = decide(parts);
    Arrays.fill(reports, null);
    decided = sequence;
    return Optional.of(decision);
  }

  /**
   * Returns the number of particles of each task: in proportion to the tasks' speeds, or equal
   * numbers for the first {@code active} tasks if not all are active.
   */
  private int[] places(int particles, int active) {
    if (active <= 0 || active >= tasks) {
      return loadBalancer.places(particles);
    }
    return Arrays.copyOf(Assignment.places(particles, active), tasks);
  }

  /**
   * Decides on a key frame from all tasks' weights; to be called once for each key frame.
   *
   * @param weightReports reports by task
   */
  public Decision decide(List<WeightReport> weightReports) {
    long start = System.nanoTime();
    for (int task = 0; task < tasks; task++) {
      WeightReport weightReport = weightReports.get(task);
      loadBalancer.record(
          task, weightReport.computeNanos(), weightReport.weights().particles().length);
    }
    ParticleWeights all =
        ParticleWeights.merge(
            owners.length, weightReports.stream().map(WeightReport::weights).toList());
    Resampling resampling = selector.resample(all);
    int[] before = owners;
    int[] parents = resampling.parents();
    List<ParticleMove> particleMoves = List.of();
    if (resampling.resampled()) {
      long[] mapBytes = all.mapBytes();
      Assignment.TransferCost lacking =
          (parent, task) ->
              before[parent] == task
                  ? 0
                  : ancestorIndex.transferBytes(parent, task, mapBytes[parent]);
      owners =
          Assignment.of(parents, lacking, places(parents.length, weightReports.get(0).active()))
              .owners();
      particleMoves =
          ParticleMove.between(parents, before, owners).stream()
              .map(ancestorIndex::withAncestor)
              .toList();
    }
    ancestorIndex.advance(resampling, owners, all.mapBytes());
    long nanos = System.nanoTime() - start;
    return new Decision(
        all, before, resampling, owners, particleMoves.toArray(new ParticleMove[0]), nanos);
  }
}
