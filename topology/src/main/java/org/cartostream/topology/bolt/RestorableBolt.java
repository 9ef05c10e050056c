package org.cartostream.topology.bolt;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.checkpoint.Part;
import org.cartostream.topology.memory.HeapWatchdog;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;

/**
 * A bolt whose state of each run the dispatcher has saved and restored: a run begins here, and goes
 * on after any failure, when it is told to {@link #restore} it. It reports what it cannot go on
 * with, and what it receives of a run that it does not know, for its worker may have died.
 *
 * <p>Owns a state per robot, that of its latest run.
 *
 * @param <Me> the component
 * @param <S> its state of a run
 */
public abstract class RestorableBolt<Me extends Component.Restorable, S> extends Bolt<Me> {

  private static final long serialVersionUID = 1L;

  private transient TaskCheckpoints checkpoints;
  private transient LatestRunMap<S> states;
  private transient IdleRunDetector idleRunDetector;
  private transient StreamOutput<Payload.Failed> failed;
  private transient StreamOutput<Payload.Stored> stored;
  private transient StreamOutput<Payload.Restored> restored;
  private transient StreamOutput<Payload.RunKeepAlive> keepAlive;
  private transient StreamOutput<Payload.MemoryShort> memoryShort;

  public RestorableBolt(SerializedSettings<ServiceSettings> serializedSettings, Class<Me> me) {
    super(serializedSettings, me);
  }

  @Override
  public void wire(StreamPorts<Me> streamPorts) {
    failed = streamPorts.out(Streams.FAILED);
    stored = streamPorts.out(Streams.STORED);
    restored = streamPorts.out(Streams.RESTORED);
    keepAlive = streamPorts.out(Streams.KEEP_ALIVE);
    memoryShort = streamPorts.out(Streams.MEMORY_SHORT);
    streamPorts.onFailure(
        (run, reading, how) -> failed.emit(Payload.Failed.of(run, component(), reading, how)));
    streamPorts.on(Streams.RESTORE, this::restoreAndReport);
    streamPorts.on(Streams.RELEASED, this::released);
    streamPorts.on(Streams.KEEP_ALIVE, message -> withState(message.run(), state -> {}));
    streamPorts.onAnyPayload(payload -> idleRunDetector.recordMessage(payload.run()));
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints taskCheckpoints) {
    checkpoints = taskCheckpoints;
    states = new LatestRunMap<>();
    idleRunDetector = new IdleRunDetector(settings().topology());
  }

  @Override
  public void tick() {
    idleRunDetector.tick().forEach(this::end);
    states.any().ifPresent(this::watchHeap);
  }

  @Override
  public final List<Run> runs() {
    return states.runs();
  }

  private void watchHeap(Run any) {
    HeapWatchdog.ofProcess()
        .look(settings().topology())
        .ifPresent(sentence -> memoryShort.emit(new Payload.MemoryShort(any, sentence)));
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

  public final void save(Run run, long reading, Object state) {
    checkpoints.save(run, reading, state, stored);
  }

  /** The run is over. */
  public void released(Payload.RunReleased message) {
    end(message.run());
  }

  /** Restores a run, and says so; or says again that it has it. */
  public final void restoreAndReport(Payload.Restore message) {
    Run run = message.run();
    if (states.get(run) == null && states.latestEpoch(run.robot()) < run.epoch()) {
      discardLatest(run);
      if (!isLoaded(message)) {
        return;
      }
      try {
        states.replace(run, restore(message));
        report(run, "");
      } catch (IOException e) {
        cannotRestore(message, e);
      }
    } else if (states.get(run) != null) {
      report(run, ""); // It may have been lost.
    }
  }

  /**
   * What is damaged stays so; what only cannot be read now is tried again when it is told again.
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
    Payload.Restore none = new Payload.Restore(run, 0, 0, new Part[0], RecoveryReport.NONE, "");
    restored.emit(new Payload.Restored(run, checkpoints.part(), none, new byte[0], failure));
  }

  private void discardLatest(Run run) {
    Run latest = states.latest(run.robot());
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
    forget(run);
  }
}
