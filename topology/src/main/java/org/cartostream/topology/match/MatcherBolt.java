package org.cartostream.topology.match;

import java.io.IOException;
import java.util.function.IntSupplier;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.particle.Partition;
import org.cartostream.slam.particle.TaskLayout;
import org.cartostream.topology.assignment.Assignment;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.run.RunFilters;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.ActiveTasks;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;
import org.cartostream.topology.timing.KeyFrameTimer;

/**
 * A task that holds particles, in any {@link ResamplingMode}.
 *
 * <p>Owns one {@link PartitionWorker} per robot.
 *
 * @param <X> type of the exchange of weights and particles with other tasks
 */
abstract class MatcherBolt<X extends ParticleExchange>
    extends RestorableBolt<Component.Matchers, PartitionWorker<X>> {

  private static final long serialVersionUID = 1L;

  private transient TaskContext taskContext;
  private transient ActiveTasks watching;
  private transient IntSupplier active;
  private transient PartitionWorker.Outputs outputs;

  /**
   * A task's part of a checkpoint.
   *
   * @param partition particles of the task
   * @param done number of the latest key frame that is entered into the particles' maps; 0 for none
   * @param coordinator coordinator of the run's resampling; null if another component has it
   */
  record State(Partition<?> partition, long done, ResamplingCoordinator coordinator) {}

  MatcherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Matchers.class);
  }

  @Override
  public void wire(StreamPorts<Component.Matchers> streamPorts) {
    super.wire(streamPorts);
    streamPorts.on(Streams.KEY_FRAMES, this::keyFrame);
    outputs =
        new PartitionWorker.Outputs(
            streamPorts.out(Streams.READY),
            streamPorts.out(Streams.CONTINUE),
            this::save,
            this::offload);
    streamPorts.on(Streams.CONTINUE, this::continueWork);
    offloadsBy(Streams.MATCHER_OFFLOAD_DONE);
    streamPorts.on(Streams.BARRIERS, this::barrier);
  }

  @Override
  public void start(TaskContext here, TaskCheckpoints checkpoints) {
    super.start(here, checkpoints);
    taskContext = here;
    // Only one task watches, so that tasks cannot see a change at different times.
    watching =
        here.task() == 0 && !here.zookeeper().servers().isEmpty() ? ActiveTasks.watch(here) : null;
    active = watching == null ? () -> 0 : watching;
  }

  @Override
  public void stop() {
    if (watching != null) {
      watching.close();
    }
  }

  /**
   * Returns a run's exchange.
   *
   * @param saved checkpoint from which the run goes on
   * @param mine this task's part of the checkpoint
   * @throws IOException if a part cannot be read
   */
  abstract X exchange(Run run, SavedLayout saved, State mine) throws IOException;

  /**
   * Returns the coordinator of a run's resampling on this task; null if another component has it.
   */
  abstract ResamplingCoordinator coordinator(X exchange);

  final TaskContext context() {
    return taskContext;
  }

  private void keyFrame(Payload.KeyFrame keyFrame) {
    withState(keyFrame.run(), worker -> worker.take(keyFrame));
  }

  private void continueWork(Payload.ContinueWork message) {
    withState(message.run(), worker -> worker.continueWork(message.sequence()));
  }

  private void barrier(Payload.CheckpointBarrier barrier) {
    if (barrier.released()) {
      release(barrier.run()); // The earlier message about that may have been lost.
    } else {
      withState(barrier.run(), worker -> worker.barrier(barrier.reading()));
    }
  }

  /**
   * Forgets a run that has ended, or releases the particles of a refused run, which are in a
   * checkpoint.
   */
  @Override
  public void released(Payload.RunClosed message) {
    if (message.ended()) {
      super.released(message);
    } else {
      release(message.run());
    }
  }

  /** Saves a run's state at a barrier that its worker has reached. */
  void save(Run run, long reading, Runnable then) {
    withState(
        run,
        worker ->
            save(
                run,
                reading,
                new State(worker.partition(), worker.done(), coordinator(worker.exchange())),
                then));
  }

  @Override
  public PartitionWorker<X> restore(Payload.Restore restore) throws IOException {
    Run run = restore.run();
    ParticleFilters<?> filters = RunFilters.of(settings(), restore.knownMap());
    SavedLayout saved =
        new SavedLayout(checkpoints(), restore, settings(), filters, taskContext.matchers());
    State mine =
        saved.isEmpty()
            ? new State(begin(filters, run), 0, null)
            : saved.matcher(taskContext.task());
    PartitionWorker<X> worker =
        new PartitionWorker<>(
            run,
            new KeyFrameTimer(taskContext.task(), taskContext.nanoTime()),
            mine.partition(),
            exchange(run, saved, mine),
            active,
            settings().topology().workAhead(),
            outputs);
    worker.resumeAfter(mine.done());
    return worker;
  }

  private <C> Partition<C> begin(ParticleFilters<C> filters, Run run) {
    TaskLayout taskLayout = settings().team(taskContext.matchers());
    int task = taskContext.task();
    int[] owners = Assignment.initial(filters.particles(), taskLayout.tasks());
    return new Partition<>(
        filters.filter(run.robot(), task, taskLayout), task, Assignment.ownedBy(task, owners));
  }
}
