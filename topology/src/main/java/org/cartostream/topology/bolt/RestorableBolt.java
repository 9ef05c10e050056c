package org.cartostream.topology.bolt;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.topology.memory.HeapWatchdog;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bolt that takes part in checkpoints: the dispatcher has it save and restore its state of each
 * run. A run begins here, and continues after any failure, by {@link #restore}. The bolt reports to
 * the dispatcher a run in which it fails, and a run whose messages it receives without having its
 * state, since its worker may have been restarted.
 *
 * <p>Owns one state per robot, that of the robot's latest run.
 *
 * @param <Me> the component that the bolt implements
 * @param <S> the component's state of a run
 */
public abstract class RestorableBolt<Me extends Component.Restorable, S> extends Bolt<Me> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RestorableBolt.class);

  /** Random number of this start of the task, which tells it from earlier starts. */
  private transient long incarnation;

  private transient TaskCheckpoints checkpoints;
  private transient LatestRunMap<S> states;
  private transient IdleRunDetector idleRunDetector;
  private transient StreamPorts<Me> ports;
  private transient OffloadedRuns offloadedRuns;
  private transient Executor offload;

  /** Size of the latest encoded state, by robot, bytes. */
  private transient Map<String, Long> savedBytes;

  private transient int task;
  private transient StreamOutput.Direct<Payload.OffloadDone> offloadDone;
  private transient StreamOutput<Payload.Failed> failed;
  private transient StreamOutput<Payload.Stored> stored;
  private transient StreamOutput<Payload.Restored> restored;
  private transient StreamOutput<Payload.RunKeepAlive> keepAlive;
  private transient StreamOutput<Payload.MemoryPressure> memoryPressure;

  public RestorableBolt(SerializedSettings<ServiceSettings> serializedSettings, Class<Me> me) {
    super(serializedSettings, me);
  }

  @Override
  public void wire(StreamPorts<Me> streamPorts) {
    ports = streamPorts;
    failed = streamPorts.out(Streams.FAILED);
    stored = streamPorts.out(Streams.STORED);
    restored = streamPorts.out(Streams.RESTORED);
    keepAlive = streamPorts.out(Streams.KEEP_ALIVE);
    memoryPressure = streamPorts.out(Streams.MEMORY_PRESSURE);
    streamPorts.onFailure(
        (run, reading, how) -> failed.emit(Payload.Failed.of(run, component(), reading, how)));
    streamPorts.on(Streams.RESTORE, this::restoreAndReport);
    streamPorts.on(Streams.RUN_CLOSED, this::released);
    streamPorts.on(Streams.KEEP_ALIVE, message -> withState(message.run(), state -> {}));
    streamPorts.onAnyPayload(payload -> idleRunDetector.recordMessage(payload.run()));
    streamPorts.holdBackBy(
        (payload, handling) ->
            !(payload instanceof Payload.OffloadDone)
                && offloadedRuns.hold(payload.run(), handling));
  }

  /**
   * Sets the stream by which the bolt tells itself that {@link #offload offloaded} work is done.
   */
  public final void offloadsBy(Stream.Direct<Me, Me, Payload.OffloadDone> stream) {
    offloadDone = ports.out(stream);
    ports.on(stream, done -> offloadedRuns.end(done.run()));
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints taskCheckpoints) {
    incarnation = ThreadLocalRandom.current().nextLong();
    checkpoints = taskCheckpoints;
    states = new LatestRunMap<>();
    offloadedRuns = new OffloadedRuns();
    savedBytes = new HashMap<>();
    offload = taskContext.offload();
    task = taskContext.task();
    idleRunDetector = new IdleRunDetector(settings().topology());
  }

  @Override
  public void tick() {
    idleRunDetector.tick().forEach(this::end);
    offloadedRuns.done().forEach(offloadedRuns::end); // Their message may be lost.
    states.any().ifPresent(this::watchHeap);
  }

  /** Reports the loss for each run, as the lost messages may have been of any. */
  @Override
  public final void missed(String sentence) {
    for (Run run : runs()) {
      failed.emit(Payload.Failed.ofLoss(run, component(), sentence));
    }
  }

  @Override
  public final List<Run> runs() {
    return states.runs();
  }

  private void watchHeap(Run any) {
    HeapWatchdog.ofProcess()
        .look(settings().topology())
        .ifPresent(sentence -> memoryPressure.emit(new Payload.MemoryPressure(any, sentence)));
  }

  /**
   * Returns the state with which a run goes on, or begins.
   *
   * @throws IOException if the task's part of the checkpoint cannot be read
   */
  public abstract S restore(Payload.Restore restore) throws IOException;

  /**
   * Returns true if {@link #restore} can be called without waiting for long. If not, the subclass
   * begins to read the state in another thread, and calls {@link #restoreAndReport} when it has
   * been read.
   */
  public boolean isLoaded(Payload.Restore restore) {
    return true;
  }

  /**
   * Releases the resources of a state that is no longer used: the run is over, or goes on with
   * another state.
   */
  public void discard(Run run, S state) {}

  /**
   * Forgets a run that is over, whether it has a state or not; what is being read for it is not
   * needed.
   */
  public void forget(Run run) {}

  public final TaskCheckpoints checkpoints() {
    return checkpoints;
  }

  public final LatestRunMap<S> states() {
    return states;
  }

  /**
   * Runs an action on the state of a run, unless a later epoch or run of the robot has begun.
   * Reports to the dispatcher if the state is lost.
   */
  public final void withState(Run run, Consumer<S> something) {
    S state = states.get(run);
    if (state != null) {
      something.accept(state);
    } else if (states.latestEpoch(run.robot()) < run.epoch()) {
      String sentence =
          "the state of the run in a task of " + Component.nameOf(component()) + " is lost";
      failed.emit(Payload.Failed.ofLoss(run, component(), sentence));
    }
  }

  /** Saves a small state, which may change again when this returns. */
  public final void saveNow(Run run, long reading, Object state) {
    checkpoints.save(run, reading, state, stored);
  }

  /**
   * Saves a state that takes long to encode.
   *
   * @param then runs in the task's thread when the state may change again
   */
  public final void save(Run run, long reading, Object state, Runnable then) {
    long before = savedBytes.getOrDefault(run.robot(), 0L);
    if (!checkpoints.begin(run, reading, before + before / 8, stored)) {
      then.run();
      return;
    }
    try {
      offload(
          run,
          () -> checkpoints.encodeAndWrite(run, reading, state, stored),
          encoded -> {
            if (encoded.size() > 0) { // 0 if it could not be encoded.
              savedBytes.put(run.robot(), encoded.size());
            }
            then.run();
          });
    } catch (RuntimeException | OutOfMemoryError e) { // No thread could be started.
      checkpoints.end(run);
      throw e;
    }
  }

  /**
   * Lets another thread work on a run's state, so that other runs need not wait. Messages for this
   * run wait meanwhile, so that nobody else uses its state.
   *
   * @param work the other thread's work
   * @param then takes the result of the work, in the task's own thread; if the work threw an
   *     exception, the run fails instead
   */
  public final <T> void offload(Run run, Supplier<T> work, Consumer<T> then) {
    FutureTask<T> whole = new FutureTask<>(work::get);
    offloadedRuns.begin(run, whole, () -> ports.runGuarded(run, () -> then.accept(result(whole))));
    try {
      offload.execute(
          () -> {
            whole.run();
            notifyOfDone(run);
          });
    } catch (RuntimeException | OutOfMemoryError e) { // No thread could be started.
      offloadedRuns.forget(run);
      throw e;
    }
  }

  /**
   * Sends the bolt a message that a run's work is done; if that fails, {@link #tick} notices it.
   */
  private void notifyOfDone(Run run) {
    try {
      offloadDone.emit(task, new Payload.OffloadDone(run));
    } catch (RuntimeException | OutOfMemoryError e) { // Must not end the worker.
      LOG.error("{}: its task was not told at once that its state is free", run, e);
    }
  }

  private static <T> T result(FutureTask<T> done) {
    try {
      return done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) { // Such as OutOfMemoryError.
        throw error;
      }
      throw e.getCause() instanceof RuntimeException unchecked
          ? unchecked
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns true if another thread uses the run's state. */
  public final boolean isOffloaded(Run run) {
    return offloadedRuns.has(run);
  }

  /**
   * Drops a run's state, which is in a checkpoint and gets no more messages, but keeps its epoch.
   */
  public final void release(Run run) {
    S state = states.get(run);
    if (state != null) {
      discard(run, state);
      states.replace(run, null); // The epoch stays, so that the state does not count as lost.
      savedBytes.remove(run.robot());
    }
  }

  /** Forgets a run if the message says that it has ended. */
  public void released(Payload.RunClosed message) {
    if (message.ended()) {
      end(message.run());
    }
  }

  /**
   * Restores a run and reports to the dispatcher that it has, or had it already. The report has the
   * latest epoch of the robot here, which may be later than the message's.
   */
  public final void restoreAndReport(Payload.Restore message) {
    Run run = message.run();
    if (states.get(run) == null && states.latestEpoch(run.robot()) < run.epoch()) {
      discardLatest(run);
      if (!isLoaded(message)) {
        return;
      }
      try {
        states.replace(run, restore(message));
        savedBytes.put(run.robot(), checkpoints.bytes(message));
        report(run, "");
      } catch (IOException e) {
        cannotRestore(message, e);
      }
    } else { // The first report may have been lost.
      report(run, "");
    }
  }

  /**
   * Reports why a state cannot be restored. Damage is final, and so is any error if the run is only
   * restored to be ended; otherwise an unreadable part is tried again at the next restore.
   */
  private void cannotRestore(Payload.Restore message, IOException why) {
    String sentence = checkpoints.part() + " cannot be restored: " + why.getMessage();
    if (why instanceof CheckpointException || !message.failure().isEmpty()) {
      report(message.run(), sentence);
    } else {
      failed.emit(Payload.Failed.ofLoss(message.run(), component(), sentence));
    }
  }

  private void report(Run run, String failure) {
    long met = states.latestEpoch(run.robot());
    Payload.Restore none =
        new Payload.Restore(run, met, 0, new CheckpointPart[0], RecoveryReport.NONE, "", null);
    restored.emit(
        new Payload.Restored(run, checkpoints.part(), none, new byte[0], incarnation, failure));
  }

  private void discardLatest(Run run) {
    Run latest = states.latest(run.robot());
    offloadedRuns.forget(latest);
    S state = latest == null ? null : states.get(latest);
    if (state != null) {
      discard(latest, state);
      states.replace(latest, null); // Frees its memory; the epoch stays.
      // A keep-alive has no content. But a worker's first message to a restarted worker is lost,
      // since
      // Storm notices a broken connection only when it uses it; so a message without content goes
      // first.
      keepAlive.emit(new Payload.RunKeepAlive(latest));
    }
  }

  private void end(Run run) {
    S state = states.get(run);
    if (state != null) {
      discard(run, state);
    }
    states.end(run);
    offloadedRuns.forget(run);
    savedBytes.remove(run.robot());
    forget(run);
  }
}
