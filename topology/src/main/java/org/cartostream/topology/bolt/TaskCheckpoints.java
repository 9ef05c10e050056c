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
 * and writes it in another thread.
 *
 * <p>Owns the part's name. Where there is no store nothing is durable, and a run that is restored
 * begins with nothing.
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
   * @param store null for none
   * @param writer runs what waits for the disk
   * @param budget of all tasks of the process
   * @param part name of the task's part
   * @param nanoClock tells how long encoding takes
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

  /** Name of the task's part. */
  String part() {
    return part;
  }

  /** The store of the parts; empty if nothing is stored. */
  public Optional<CheckpointStore> store() {
    return Optional.ofNullable(store);
  }

  /** Runs what waits for the disk. */
  public Executor writer() {
    return writer;
  }

  /** Name of a run in the store. */
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
   * A robot's new run begins: nobody goes on with an earlier one. What lies there of this run
   * itself stays: another release, or user, may be able to read it.
   */
  public void deleteEarlierRuns(Run begun) {
    try {
      deleteEarlierRuns(store, begun);
    } catch (IOException | RuntimeException e) {
      LOG.warn("what is older than {} cannot be deleted: {}", begun, e.toString());
    }
  }

  /** Deletes the earlier runs in the store of a service that is not here. */
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

  /** This checkpoint counts: nobody needs those before. */
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
   * @param stored is told what came of it
   * @return the state's bytes without contents beside it; empty if it could not be encoded
   */
  public byte[] save(Run run, long reading, Object state, StreamOutput<Payload.Stored> stored) {
    return begin(run, reading, 0, stored)
        ? encodeAndWrite(run, reading, state, stored).bytes()
        : NOTHING.bytes();
  }

  /**
   * True if a run's state can be saved, which is expected to take so many bytes; if not, {@code
   * stored} is told.
   */
  boolean begin(Run run, long reading, long expectedBytes, StreamOutput<Payload.Stored> stored) {
    String refusal = "";
    if (beingWritten.containsKey(name(run))) { // A store that hangs must not fill the memory.
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

  /** Ends what was begun: it is written, or not gone on with. */
  void end(Run run) {
    Long before = beingWritten.remove(name(run));
    budget.change(name(run), before == null ? 0 : -before);
  }

  /**
   * Encodes a state in this thread, whichever it is, and has it written. Nobody may change it
   * meanwhile.
   *
   * @return the encoded state; nothing if it could not be encoded
   */
  StateCodec.Encoded encodeAndWrite(
      Run run, long reading, Object state, StreamOutput<Payload.Stored> stored) {
    long start = nanoClock.getAsLong();
    StateCodec.Encoded encoded;
    try {
      encoded = StateCodec.encode(state);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      end(run); // It needs as much memory once more.
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
    } catch (RuntimeException | OutOfMemoryError e) { // There is no thread for it.
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
      return failed(run, reading, nanos, e);
    }
  }

  private Payload.Stored failed(Run run, long reading, long nanos, Object why) {
    CheckpointPart none = new CheckpointPart(part, 0, "", false);
    return new Payload.Stored(run, reading, none, new CheckpointPart[0], nanos, part + ": " + why);
  }

  /**
   * This task's state in a checkpoint.
   *
   * @return empty if the run begins with nothing
   * @throws IOException if it cannot be read, or is not what was written
   */
  public <T> Optional<T> load(Payload.Restore restore, Class<T> type) throws IOException {
    return restore.parts().length == 0 ? Optional.empty() : Optional.of(load(restore, part, type));
  }

  /** Bytes of this task's part of a checkpoint; 0 if it has none. */
  long bytes(Payload.Restore restore) {
    for (CheckpointPart each : restore.parts()) {
      if (each.name().equals(part)) {
        return each.bytes();
      }
    }
    return 0;
  }

  /** The state in a part of a checkpoint. */
  public <T> T load(Payload.Restore restore, String name, Class<T> type) throws IOException {
    return StateCodec.decode(
        read(restore, name), type, number -> read(restore, SharedParts.name(name, number)));
  }

  /** The bytes of a part of a checkpoint. */
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
   * Names of the parts of all components but the dispatcher.
   *
   * @param matchers how many tasks hold particles
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

  /** Name of a component's task's part of a checkpoint. */
  public static String partName(Class<? extends Component> component, int task) {
    return Component.nameOf(component).toLowerCase(Locale.ROOT) + "-" + task;
  }
}
