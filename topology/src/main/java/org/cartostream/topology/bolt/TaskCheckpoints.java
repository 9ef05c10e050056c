package org.cartostream.topology.bolt;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.SharedParts;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.topology.memory.EncodingBudget;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task's part of the checkpoints of all runs: encodes a state, which must not change meanwhile,
 * and has another thread write it.
 *
 * <p>Owns the part's name. Without a store nothing is durable, and a restored run begins with
 * nothing.
 */
public final class TaskCheckpoints {

  private static final Logger LOG = LoggerFactory.getLogger(TaskCheckpoints.class);

  private static final StateCodec.Encoded NOTHING =
      new StateCodec.Encoded(new ByteBuffer[0], List.of());

  private final CheckpointStore store;
  private final SharedParts sharedParts;
  private final Executor writer;
  private final EncodingBudget budget;
  private final String part;
  private final LongSupplier nanoClock;

  /** Size of the state that is encoded or written, by run, bytes. */
  private final Map<String, Long> beingWritten = new ConcurrentHashMap<>();

  /**
   * @param store store of the checkpoints; null for none
   * @param writer executor for work that waits for the store
   * @param budget memory for encoded states, of all tasks of the process together
   * @param part name of the task's part
   * @param nanoClock clock that measures the time for encoding, nanoseconds
   */
  public TaskCheckpoints(
      CheckpointStore store,
      Executor writer,
      EncodingBudget budget,
      String part,
      LongSupplier nanoClock) {
    this.store = store;
    this.sharedParts = new SharedParts(store);
    this.writer = writer;
    this.budget = budget;
    this.part = part;
    this.nanoClock = nanoClock;
  }

  /** Returns the name of the task's part. */
  String part() {
    return part;
  }

  /** Returns the store of the parts; empty if nothing is stored. */
  public Optional<CheckpointStore> store() {
    return Optional.ofNullable(store);
  }

  /** Returns the executor for work that waits for the store. */
  public Executor writer() {
    return writer;
  }

  /** Returns the name of a run in the store. */
  public static String name(Run run) {
    return run.robot() + "-" + Long.toHexString(run.number());
  }

  /**
   * Returns a run's latest checkpoint; null if there is none or the store cannot be read. Then the
   * run begins empty: a new one needs no checkpoint, and of an old one the first readings are found
   * to be missing.
   */
  public Manifest latest(Run run) {
    try {
      List<String> unusable = new ArrayList<>();
      Manifest manifest = store.latest(name(run), unusable::add).orElse(null);
      unusable.forEach(LOG::warn);
      return manifest;
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} begins anew, for its checkpoints cannot be looked for: {}", run, e.toString());
      return null;
    }
  }

  /**
   * Deletes the checkpoints of a robot's earlier runs, as a new run begins. Checkpoints of the new
   * run itself stay, even if they could not be read: another release, or user, may be able to read
   * them.
   */
  public void deleteEarlierRuns(Run begun) {
    try {
      deleteEarlierRuns(store, begun);
    } catch (IOException | RuntimeException e) {
      LOG.warn("what is older than {} cannot be deleted: {}", begun, e.toString());
    }
  }

  /**
   * Deletes the checkpoints of a robot's earlier runs in the store of any service.
   *
   * @throws IOException if the store fails
   */
  public static void deleteEarlierRuns(CheckpointStore store, Run begun) throws IOException {
    String own = name(begun);
    for (String name : store.runs()) {
      if (isOfRobot(name, begun.robot()) && !name.equals(own)) {
        store.delete(name);
      }
    }
  }

  private static boolean isOfRobot(String name, String robot) {
    int number = name.lastIndexOf('-');
    return number >= 0 && name.substring(0, number).equals(robot);
  }

  /** Deletes the run's checkpoints before this one, which has been committed. */
  public void deleteBefore(CheckpointId id) {
    try {
      store.deleteBefore(id);
    } catch (IOException | RuntimeException e) {
      LOG.warn("what is older than {} cannot be deleted: {}", id, e.toString());
    }
  }

  /**
   * Saves a small state, which may change again when this returns.
   *
   * @param stored gets the result, when the state is stored or that has failed
   * @return the state's bytes without contents beside it; empty if it could not be encoded
   */
  public byte[] save(Run run, long reading, Object state, StreamOutput<Payload.Stored> stored) {
    return begin(run, reading, 0, stored)
        ? encodeAndWrite(run, reading, state, stored).bytes()
        : NOTHING.bytes();
  }

  /**
   * Begins to save a run's state; returns false, and reports to {@code stored}, if an earlier state
   * is still being written or there is no memory for it.
   *
   * @param expectedBytes expected size of the encoded state
   */
  boolean begin(Run run, long reading, long expectedBytes, StreamOutput<Payload.Stored> stored) {
    String refusal = "";
    if (beingWritten.containsKey(name(run))) { // Else a hanging store would fill the memory.
      refusal = "the one before is still being written";
    } else if (!budget.reserve(name(run), expectedBytes)) {
      refusal = budget.sentence();
    } else {
      beingWritten.put(name(run), expectedBytes);
    }
    if (!refusal.isEmpty()) {
      stored.emit(failed(run, reading, 0, refusal));
    }
    return refusal.isEmpty();
  }

  private void takes(Run run, long bytes) {
    Long before = beingWritten.put(name(run), bytes);
    budget.change(name(run), bytes - (before == null ? 0 : before));
  }

  /** Ends the saving of a run's state, which is written or has failed, and frees its memory. */
  void end(Run run) {
    Long before = beingWritten.remove(name(run));
    budget.change(name(run), before == null ? 0 : -before);
  }

  /**
   * Encodes a state in the calling thread, and has the writer store it. The state must not change
   * meanwhile.
   *
   * @return the encoded state; empty if it could not be encoded
   */
  StateCodec.Encoded encodeAndWrite(
      Run run, long reading, Object state, StreamOutput<Payload.Stored> stored) {
    long start = nanoClock.getAsLong();
    StateCodec.Encoded encoded;
    try {
      encoded = StateCodec.encode(state);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      end(run); // First, as the message needs memory.
      stored.emit(failed(run, reading, nanoClock.getAsLong() - start, e));
      return NOTHING;
    }
    long nanos = nanoClock.getAsLong() - start;
    takes(run, encoded.size());
    try {
      writer.execute(
          () -> {
            Payload.Stored result = written(run, reading, encoded, nanos);
            end(run);
            stored.emit(result);
          });
    } catch (RuntimeException | OutOfMemoryError e) { // No thread could be started.
      end(run);
      stored.emit(failed(run, reading, nanos, e));
    }
    return encoded;
  }

  private Payload.Stored written(Run run, long reading, StateCodec.Encoded state, long nanos) {
    try {
      CheckpointPart[] beside =
          sharedParts.write(name(run), part, state.contents()).toArray(CheckpointPart[]::new);
      CheckpointPart written =
          store.write(new CheckpointId(name(run), run.epoch(), reading), part, state.blocks());
      return new Payload.Stored(run, reading, written, beside, nanos, "");
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      return failed(run, reading, nanos, e instanceof IOException ? e.getMessage() : e);
    }
  }

  private Payload.Stored failed(Run run, long reading, long nanos, Object why) {
    CheckpointPart none = new CheckpointPart(part, 0, "", false);
    return new Payload.Stored(run, reading, none, new CheckpointPart[0], nanos, part + ": " + why);
  }

  /**
   * Loads this task's state from a checkpoint.
   *
   * @return the state; empty if the run begins with nothing
   * @throws IOException if the state cannot be read, or is damaged
   */
  public <T> Optional<T> load(Payload.Restore restore, Class<T> type) throws IOException {
    return restore.parts().length == 0 ? Optional.empty() : Optional.of(load(restore, part, type));
  }

  /** Returns the size of this task's part of a checkpoint, bytes; 0 if there is none. */
  long bytes(Payload.Restore restore) {
    for (CheckpointPart each : restore.parts()) {
      if (each.name().equals(part)) {
        return each.bytes();
      }
    }
    return 0;
  }

  /** Loads the state in a part of a checkpoint. */
  public <T> T load(Payload.Restore restore, String name, Class<T> type) throws IOException {
    return StateCodec.decode(
        read(restore, name), type, number -> read(restore, SharedParts.name(name, number)));
  }

  /** Reads the bytes of a part of a checkpoint. */
  public byte[] read(Payload.Restore restore, String name) throws IOException {
    CheckpointId id = new CheckpointId(name(restore.run()), restore.epoch(), restore.reading());
    for (CheckpointPart each : restore.parts()) {
      if (each.name().equals(name)) {
        return store.read(id, each);
      }
    }
    throw new IOException(id + " has no part '" + name + "'");
  }

  /**
   * Returns the names of the parts of all components but the dispatcher.
   *
   * @param matchers number of tasks that hold particles
   */
  public static Set<String> partNames(ResamplingMode mode, int matchers) {
    Set<String> names = new TreeSet<>();
    names.add(partName(Component.Publisher.class, 0));
    for (int task = 0; task < matchers; task++) {
      names.add(partName(Component.Matchers.class, task));
    }
    if (mode == ResamplingMode.DATAFLOW) {
      names.add(partName(Component.Resampler.class, 0));
    }
    return names;
  }

  /** Returns the name of a task's part of a checkpoint, such as {@code matchers-2}. */
  public static String partName(Class<? extends Component> component, int task) {
    return Component.nameOf(component).toLowerCase(Locale.ROOT) + "-" + task;
  }
}
