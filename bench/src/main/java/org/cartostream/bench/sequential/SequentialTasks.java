package org.cartostream.bench.sequential;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.match.PartitionWorker;
import org.cartostream.topology.match.ResamplingCoordinator;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.PayloadSerializer;
import org.cartostream.topology.stream.WeightReport;

/**
 * Run of any number of tasks in one thread, one after the other, to measure what each of them would
 * compute if it had a core to itself, without anything that comes between.
 *
 * <p>It does what {@link PartitionWorker} does, with the same assignment, exchange and packing, and
 * so comes to the same particles; but no reading is matched before its turn. The tasks' numbers of
 * particles stay equal, so that every pass over the same readings does the same work.
 *
 * <p>Owns the particles of all tasks, and the paths.
 */
public final class SequentialTasks {

  /**
   * Time that a task works ahead of the decision before it looks for messages again, nanoseconds.
   */
  public static final long PIECE_NANOS = PartitionWorker.PIECE_NANOS;

  /**
   * Transfer of particles from one task to another after a key frame.
   *
   * @param bytes size of the packed particles
   */
  public record Transfer(int from, int to, int bytes) {}

  /**
   * Times of one reading, nanoseconds of the clock that was given.
   *
   * @param intakeNanos time of the dispatcher to check the reading
   * @param keyFrame false if the reading is no key frame; then it only takes {@code intakeNanos}
   *     and {@code publishNanos}
   * @param matchNanos for each task, time to match, and to pack its particles' weights
   * @param aheadNanos for each task, time to enter the scan into maps while the resampling is
   *     decided; 0 if a resampling was expected
   * @param ahead true if tasks work ahead of the decision: not if a resampling was expected, nor if
   *     there is one task only
   * @param decideNanos time to unpack all weights, resample, and assign particles to tasks
   * @param sendNanos for each task, time to pack the particles that leave, and to release those
   *     that died
   * @param mapUpdateNanos for each task, time to unpack and rebuild the particles that came, and to
   *     enter the scan where it was not entered yet
   * @param publishNanos time of the publisher to enter the reading into the paths; maps are drawn
   *     at their own pace
   * @param statementBytes size of the packed weights of one task, the largest
   * @param resampled true if the particles were resampled
   * @param transfers transfers of particles
   */
  public record ReadingTimes(
      long intakeNanos,
      boolean keyFrame,
      long[] matchNanos,
      long[] aheadNanos,
      boolean ahead,
      long decideNanos,
      long[] sendNanos,
      long[] mapUpdateNanos,
      long publishNanos,
      int statementBytes,
      boolean resampled,
      List<Transfer> transfers) {

    /** Returns the computing time of a task, nanoseconds. */
    public long computeNanos(int task) {
      return matchNanos[task] + aheadNanos[task] + sendNanos[task] + mapUpdateNanos[task];
    }
  }

  private final LongSupplier clock;
  private final ReadingFilter readingFilter;
  private final ResamplingCoordinator resamplingCoordinator;
  private final TrajectoryTree trajectoryTree;
  private final List<? extends Partition<?>> partitions;
  private final boolean worksAhead;
  private final PayloadSerializer payloadSerializer = new PayloadSerializer();
  private final int tasks;

  /** Creates tasks that map, see the other constructor. */
  public SequentialTasks(ServiceSettings settings, String robot, int tasks, LongSupplier clock) {
    this(settings, new MappingFilters(settings.filter()), robot, tasks, clock);
  }

  /**
   * @param clock nanoseconds; a clock of the thread's computing time is not disturbed by others
   */
  public SequentialTasks(
      ServiceSettings settings,
      ParticleFilters<?> filters,
      String robot,
      int tasks,
      LongSupplier clock) {
    this.clock = clock;
    this.tasks = tasks;
    this.readingFilter = new ReadingFilter(settings.filter());
    this.resamplingCoordinator = new ResamplingCoordinator(settings, filters, robot, tasks);
    this.trajectoryTree = new TrajectoryTree(settings.filter());
    this.worksAhead = tasks > 1 && settings.topology().workAhead();
    this.partitions = partitions(filters, robot, settings.team(tasks));
  }

  private static <C> List<Partition<C>> partitions(
      ParticleFilters<C> filters, String robot, TaskLayout taskLayout) {
    int[] owners = Assignment.initial(filters.particles(), taskLayout.tasks());
    return IntStream.range(0, taskLayout.tasks())
        .mapToObj(
            task ->
                new Partition<>(
                    filters.filter(robot, task, taskLayout),
                    task,
                    Assignment.ownedBy(task, owners)))
        .toList();
  }

  /** Processes the next reading; returns its times, or empty if it is refused. */
  public Optional<ReadingTimes> process(long sequence, Reading reading) {
    long start = clock.getAsLong();
    ReadingFilter.Decision decision = readingFilter.decide(sequence, reading);
    long intakeNanos = clock.getAsLong() - start;
    if (decision instanceof ReadingFilter.Decision.Accept accept) {
      Step step = accept.step();
      return Optional.of(
          step.keyFrame() ? keyFrame(step, intakeNanos) : between(step, intakeNanos));
    }
    return Optional.empty();
  }

  private ReadingTimes between(Step step, long intakeNanos) {
    long start = clock.getAsLong();
    trajectoryTree.addIntermediate(step);
    long publishNanos = clock.getAsLong() - start;
    long[] none = new long[tasks];
    return new ReadingTimes(
        intakeNanos, false, none, none, false, 0, none, none, publishNanos, 0, false, List.of());
  }

  private ReadingTimes keyFrame(Step step, long intakeNanos) {
    byte[][] statements = new byte[tasks][];
    long[] matchNanos =
        each(
            task ->
                statements[task] =
                    payloadSerializer.pack(
                        new WeightReport(partitions.get(task).match(step), 0, 0)));

    boolean ahead = worksAhead && !partitions.get(0).expectsResampling();
    long[] aheadNanos = ahead ? each(task -> enterAhead(partitions.get(task))) : new long[tasks];

    long start = clock.getAsLong();
    ResamplingCoordinator.Decision decision =
        resamplingCoordinator.decide(
            Arrays.stream(statements).map(payloadSerializer::weightReport).toList());
    long decideNanos = clock.getAsLong() - start;

    byte[][][] blocks = new byte[tasks][tasks][];
    long[] sendNanos = each(task -> send(task, decision, blocks[task]));
    long[] mapUpdateNanos = each(task -> updateMap(task, blocks));

    long published = clock.getAsLong();
    trajectoryTree.addKeyFrame(step, decision.all(), decision.resampling());
    long publishNanos = clock.getAsLong() - published;
    return new ReadingTimes(
        intakeNanos,
        true,
        matchNanos,
        aheadNanos,
        ahead,
        decideNanos,
        sendNanos,
        mapUpdateNanos,
        publishNanos,
        Arrays.stream(statements).mapToInt(block -> block.length).max().orElse(0),
        decision.resampling().resampled(),
        transfers(blocks));
  }

  private static void enterAhead(Partition<?> partition) {
    boolean more = true;
    while (more) {
      more = partition.updateMapsAhead();
    }
  }

  private interface Work {
    void of(int task);
  }

  private long[] each(Work work) {
    long[] nanos = new long[tasks];
    for (int task = 0; task < tasks; task++) {
      long start = clock.getAsLong();
      work.of(task);
      nanos[task] = clock.getAsLong() - start;
    }
    return nanos;
  }

  private void send(int task, ResamplingCoordinator.Decision decision, byte[][] blocks) {
    List<List<ParticleTransfer>> leaving = new ArrayList<>();
    IntStream.range(0, tasks).forEach(to -> leaving.add(new ArrayList<>()));
    for (ParticleMove particleMove : decision.moves()) {
      if (particleMove.from() == task) {
        leaving.get(particleMove.to()).add(partitions.get(task).send(particleMove));
      }
    }
    for (int to = 0; to < tasks; to++) {
      blocks[to] = payloadSerializer.pack(leaving.get(to));
    }
    partitions.get(task).resample(decision.resampling(), decision.owners());
  }

  private void updateMap(int task, byte[][][] blocks) {
    List<ParticleTransfer> came = new ArrayList<>();
    for (byte[][] from : blocks) {
      came.addAll(payloadSerializer.transfers(from[task]));
    }
    // In the order of the moves, which is by parent, whichever task sent them.
    came.sort(Comparator.comparingInt(ParticleTransfer::parent));
    partitions.get(task).receive(came);
    partitions.get(task).updateMap();
  }

  private List<Transfer> transfers(byte[][][] blocks) {
    List<Transfer> transfers = new ArrayList<>();
    for (int from = 0; from < tasks; from++) {
      for (int to = 0; to < tasks; to++) {
        if (blocks[from][to].length > 0) {
          transfers.add(new Transfer(from, to, blocks[from][to].length));
        }
      }
    }
    return transfers;
  }

  /**
   * Returns the present particles of each task, by their numbers: every particle is at one task.
   */
  public List<List<Integer>> particles() {
    return partitions.stream().map(Partition::particles).toList();
  }
}
