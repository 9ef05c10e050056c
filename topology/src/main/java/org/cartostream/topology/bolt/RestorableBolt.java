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
 * run. A run begins here, and continues after any failure, by {@link #restore}. It reports what it
 * cannot go on with, and what it receives of a run that it does not know, for its worker may have
 * died.
 *
 * <p>Owns a state per robot, that of its latest run.
 *
 * @param <Me> the component
 * @param <S> its state of a run
 */
public abstract class RestorableBolt<Me extends Component.Restorable, S> extends Bolt<Me> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RestorableBolt.class);

  /** Drawn when the task starts, so that it can be told from one before it. */
  private transient long incarnation;

  private transient TaskCheckpoints checkpoints;
  private transient LatestRunMap<S> states;
  private transient IdleRunDetector idleRunDetector;
  private transient StreamPorts<Me> ports;
  private transient OffloadedRuns offloadedRuns;
  private transient Executor offload;

  /** Bytes of a robot's latest state, by robot. */
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
   * Sets the stream by which the bolt tells itself that another thread has done, see {@link
   * #offload}.
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
    offloadedRuns.done().forEach(offloadedRuns::end); // The message that says so may be lost.
    states.any().ifPresent(this::watchHeap);
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
   * The state with which a run goes on, or begins.
   *
   * @throws IOException if its part of the checkpoint cannot be read
   */
  public abstract S restore(Payload.Restore restore) throws IOException;

  /**
   * True if {@link #restore} would not wait for long. If not, what it would wait for is read
   * meanwhile, and {@link #restoreAndReport} is to be called then.
   */
  public boolean isLoaded(Payload.Restore restore) {
    return true;
  }

  /** A state is let go of: the run is over, or goes on with another. */
  public void discard(Run run, S state) {}

  /** A run is over, whether it has a state or not: what is being read for it is for nobody. */
  public void forget(Run run) {}

  public final TaskCheckpoints checkpoints() {
    return checkpoints;
  }

  public final LatestRunMap<S> states() {
    return states;
  }

  /** Does something with the state of a run, unless a later one has begun. */
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

  /** Saves a small state at once. */
  public final void saveNow(Run run, long reading, Object state) {
    checkpoints.save(run, reading, state, stored);
  }

  /**
   * Saves a state that takes long to encode.
   *
   * @param then is done when the state may change again
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
            if (encoded.size() > 0) { // Else it could not be encoded, and is as large as before.
              savedBytes.put(run.robot(), encoded.size());
            }
            then.run();
          });
    } catch (RuntimeException | OutOfMemoryError e) { // There is no thread for it.
      checkpoints.end(run);
      throw e;
    }
  }

  /**
   * Has another thread use a run's state, so that other runs need not wait. What comes for this run
   * waits meanwhile, so nobody else uses its state.
   *
   * @param work the other thread's
   * @param then takes what it gave, in the task's own thread; what it threw fails the run there
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
    } catch (RuntimeException | OutOfMemoryError e) { // There is no thread for it.
      offloadedRuns.forget(run);
      throw e;
    }
  }

  /** Notifies the bolt that a run's work is done; if that fails, {@link #tick} finds it. */
  private void notifyOfDone(Run run) {
    try {
      offloadDone.emit(task, new Payload.OffloadDone(run));
    } catch (RuntimeException | OutOfMemoryError e) { // It must not end the worker.
      LOG.error("{}: its task was not told at once that its state is free", run, e);
    }
  }

  private static <T> T result(FutureTask<T> done) {
    try {
      return done.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) { // No memory, above all.
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

  /** True if another thread uses the run's state. */
  public final boolean isOffloaded(Run run) {
    return offloadedRuns.has(run);
  }

  /** Lets go of a run's state, which is in a checkpoint: nothing more comes for it. */
  public final void release(Run run) {
    S state = states.get(run);
    if (state != null) {
      discard(run, state);
      states.replace(run, null); // Its epoch stays: it is not lost.
      savedBytes.remove(run.robot());
    }
  }

  /** The run is over. */
  public void released(Payload.RunClosed message) {
    if (message.ended()) {
      end(message.run());
    }
  }

  /**
   * Restores a run, and reports that; or reports that it is here already, or that a later epoch is.
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
    } else { // That may have been lost.
      report(run, "");
    }
  }

  /**
   * Reports why a state cannot be restored. Damage is final, and so is any fault when the run is
   * only to be ended; a part that cannot be read now is tried again at the next restore.
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
      states.replace(latest, null); // Its epoch stays, and its memory is free for the next.
      // It says nothing. But a worker's first message to one that was started again is lost, for
      // Storm finds a connection broken when it is used; so let that not be one that counts.
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
