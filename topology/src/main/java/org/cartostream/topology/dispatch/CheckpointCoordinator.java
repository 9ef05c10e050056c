package org.cartostream.topology.dispatch;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Version;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPace;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.AdmissionLock;
import org.cartostream.topology.failure.PoisonReadingDetector;
import org.cartostream.topology.metrics.CheckpointMeters;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinator of one run's checkpoints: it has every component save its state after a reading, and
 * commits the manifest when all parts are stored. From then on the checkpoint is valid, and is the
 * next {@link RestorePoint} of the {@link RunLifecycle}.
 *
 * <p>No checkpoint is begun while a reading of any robot is processed that is noted as a suspect of
 * crashes ({@link AdmissionLock}). Otherwise a checkpoint's need for memory could crash a process,
 * and the reading would be blamed.
 *
 * <p>Owns its {@link State}, the {@link PendingCheckpoint} that is being stored, the time at which
 * the next checkpoint is due, and the reason for which the latest failed.
 */
final class CheckpointCoordinator implements AdmissionLock.WaitingCheckpoint {

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointCoordinator.class);

  /** Name of the dispatcher's part of a checkpoint. */
  static final String PART = TaskCheckpoints.partName(Component.Dispatcher.class, 0);

  private static final String PUBLISHERS = TaskCheckpoints.partName(Component.Publisher.class, 0);

  private enum State {
    /** No checkpoint is wanted. */
    NONE,
    /** A checkpoint waits for its turn. */
    WAITING,
    /** The checkpoint has its turn, and may be begun. */
    DUE,
    /** The checkpoint's parts are being stored. */
    STORING,
    /**
     * The checkpoint's epoch is over; tasks may still be busy with it until the run is restored.
     */
    ABANDONED
  }

  private final DispatcherContext context;
  private final CheckpointMeters meters;
  private final CheckpointPace pace;
  private final PoisonReadingDetector.Written written;
  private State state = State.NONE;

  /** Checkpoint that is being stored, or was stored last; null before the first. */
  private PendingCheckpoint pending;

  /** The run, in the epoch in which a checkpoint began to wait. */
  private Run waitingRun;

  /** Reason for which the latest checkpoint was not stored, for people; empty if it was stored. */
  private String failure = "";

  /**
   * @param written is called when a checkpoint that had to wait may be begun
   */
  CheckpointCoordinator(
      String robot, DispatcherContext context, PoisonReadingDetector.Written written) {
    this.context = context;
    this.meters = new CheckpointMeters(robot);
    this.pace = new CheckpointPace(context.settings().checkpoint());
    this.written = written;
  }

  // --- turns -------------------------------------------------------------------------------------

  /** Begins an epoch: gives up a checkpoint that waits or is being stored. */
  void beginEpoch(long now) {
    if (state == State.WAITING) {
      end();
    } else if (state != State.NONE) {
      state = State.ABANDONED;
    }
    pace.begin(now);
  }

  /**
   * Ends the current checkpoint, if there is one: no task is busy with it, so other runs' readings
   * need not wait for it.
   */
  void end() {
    if (state != State.NONE) {
      state = State.NONE;
      context.admissionLock().stored(this);
    }
  }

  @Override
  public void takeTurn() {
    state = State.DUE;
    written.written(waitingRun, 0);
  }

  private void askForTurn(Run run) {
    waitingRun = run;
    state = context.admissionLock().mayStore(this) ? State.DUE : State.WAITING;
  }

  /** Returns true if a checkpoint is being stored, or waits for its turn. */
  boolean isPending() {
    return state == State.STORING || state == State.WAITING;
  }

  /** Returns true if a checkpoint that has waited may be begun. */
  boolean hasTurn() {
    return state == State.DUE;
  }

  /** Returns true if the latest checkpoint failed, or there is no store. */
  boolean fails() {
    return !failure.isEmpty() || context.checkpoints().store().isEmpty();
  }

  /**
   * Returns since which reading checkpoints fail, and why, for people; empty if the latest
   * succeeded.
   *
   * @param durable number of the last reading in the valid checkpoint
   */
  String notDurable(long durable) {
    return failure.isEmpty() ? "" : "since reading " + durable + ": " + failure;
  }

  /** Returns true if it is time for a checkpoint. */
  boolean isDue(long now) {
    return pace.isDue(now);
  }

  // --- one checkpoint ----------------------------------------------------------------------------

  /**
   * Begins a checkpoint, now or at its turn, unless one is being stored or there is no reading
   * since the latest.
   *
   * @param latest the valid checkpoint
   * @param reading number of the latest reading that had its turn, or was refused before it
   * @param saved the dispatcher's own state after that reading
   * @param isAnew true if a checkpoint is wanted even without a reading since the latest, to
   *     replace that
   * @param isReleased true if the matchers have released the run's particles: their parts stay as
   *     in the latest checkpoint
   */
  void begin(
      Run run,
      RestorePoint latest,
      long reading,
      SavedReadings saved,
      boolean isAnew,
      boolean isReleased,
      long now) {
    if (reading == latest.reading() && !isAnew) {
      meters.upToDate();
      end();
      return;
    }
    if (context.checkpoints().store().isPresent() && state == State.NONE) {
      askForTurn(run);
    }
    if (state != State.DUE) {
      return;
    }
    pace.begin(now);
    byte[] bytes = context.checkpoints().save(run, reading, saved, context.outputs().stored);
    Set<String> names = new TreeSet<>(isReleased ? Set.of(PUBLISHERS) : context.partNames());
    names.add(PART);
    pending = new PendingCheckpoint(run, reading, bytes, saved.knownMap(), names, now);
    state = State.STORING;
    if (isReleased) {
      pending.keep(latest);
    }
    context.outputs().barriers.emit(new Payload.CheckpointBarrier(run, reading, isReleased));
  }

  /**
   * Takes a message that a part, or the whole checkpoint, is stored or cannot be.
   *
   * @param durable number of the last reading in the valid checkpoint
   * @return the checkpoint if it has become valid; else empty
   */
  Optional<RestorePoint> stored(Payload.Stored message, long durable, long now) {
    pace.encoded(message.encodingNanos());
    if (state != State.STORING || !pending.isOf(message)) {
      return Optional.empty();
    }
    if (!message.failure().isEmpty()) {
      fail(message.run(), message.failure(), durable);
    } else if (message.part().equals(PendingCheckpoint.MANIFEST)) {
      return Optional.of(succeed(message.run(), now));
    } else if (pending.add(message.part(), message.beside())) {
      commit(message.run());
    }
    return Optional.empty();
  }

  private void commit(Run run) {
    PendingCheckpoint whole = pending;
    RestorePoint point = whole.point();
    Manifest manifest =
        new Manifest(
            point.id(run),
            Version.current(),
            context.settings().identity(point.knownMap() != null),
            List.of(point.parts()));
    TaskCheckpoints own = context.checkpoints();
    CheckpointStore store = own.store().orElseThrow();
    own.writer().execute(() -> context.outputs().stored.emit(whole.commit(manifest, store)));
  }

  private RestorePoint succeed(Run run, long now) {
    RestorePoint point = pending.point();
    CheckpointId id = point.id(run);
    // Not sooner: until this checkpoint is valid, the run would be restored from the previous one.
    context.checkpoints().writer().execute(() -> context.checkpoints().deleteBefore(id));
    long nanos = pending.nanos(now);
    LOG.debug(
        "{}: durable up to reading {} after {} ms",
        run,
        point.reading(),
        TimeUnit.NANOSECONDS.toMillis(nanos));
    meters.stored(Arrays.stream(point.parts()).mapToLong(CheckpointPart::bytes).sum(), nanos);
    end();
    if (!failure.isEmpty()) {
      LOG.info("{} is durable again, up to reading {}", run, point.reading());
    }
    failure = "";
    return point;
  }

  private void fail(Run run, String why, long durable) {
    end();
    meters.failed();
    if (failure.isEmpty()) {
      LOG.warn("{} is not durable since reading {}: {}", run, durable, why);
    }
    failure = why;
  }

  /**
   * Gives up a checkpoint that takes too long; called at each tick.
   *
   * @param durable number of the last reading in the valid checkpoint
   */
  void watch(Run run, long durable, long now) {
    int seconds = context.settings().topology().readingTimeoutSeconds();
    if (state == State.STORING && pending.nanos(now) > TimeUnit.SECONDS.toNanos(seconds)) {
      fail(run, "its parts were not stored within " + seconds + " s", durable);
    }
  }

  /** Returns the metrics of the run's checkpoints. */
  CheckpointMeters meters() {
    return meters;
  }
}
