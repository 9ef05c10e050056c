package org.cartostream.topology.dispatch;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Version;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointPace;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.Cut;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.Part;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.AdmissionTurns;
import org.cartostream.topology.failure.CheckpointTurn;
import org.cartostream.topology.failure.FailedReadings;
import org.cartostream.topology.failure.FatalReadingSearch;
import org.cartostream.topology.metrics.CheckpointMeters;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the checkpoints of one run: has every component save its state after a reading, and commits
 * the manifest when all parts are stored. A checkpoint counts from then on.
 *
 * <p>Owns the latest checkpoint that counts, and the one that is being stored.
 */
final class CheckpointCoordinator {

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointCoordinator.class);

  /** Name of the dispatcher's part of a checkpoint. */
  static final String PART = TaskCheckpoints.partName(Component.Dispatcher.class, 0);

  private static final String PUBLISHERS = TaskCheckpoints.partName(Component.Publisher.class, 0);

  /** By this the dispatcher reports to itself what the {@link AdmissionTurns} waited for. */
  private static final Part NOTE = new Part("note", 0, "", false);

  private static final Part[] NO_PARTS = {};

  private final ServiceSettings settings;
  private final TaskCheckpoints checkpoints;
  private final DispatcherOutputs outputs;
  private final int matchers;
  private final Set<String> partNames;
  private final CheckpointMeters meters;
  private final CheckpointPace pace;
  private final FatalReadingSearch fatalReadings;
  private final CheckpointTurn turn;

  /** The latest checkpoint that counts, and the dispatcher's part of it. */
  private Payload.Restore latest;

  private byte[] latestState = {};

  /** That the robot is to be found in; null if it makes one. In the dispatcher's part. */
  private PackedMap knownMap;

  /** Null unless one is being stored. */
  private PendingCheckpoint pending;

  /** True if matchers have let go of the run: their parts stay as in the latest checkpoint. */
  private boolean isReleased;

  /** Why the latest attempt failed, for people; empty if it did not. */
  private String failure = "";

  /** The effect of a message about a checkpoint. */
  enum Progress {
    /** Nothing yet. */
    NONE,
    /** There is a later checkpoint than before. */
    DURABLE,
    /** It could not be stored; the one before counts. */
    FAILED,
    /** A reading may be admitted, or a checkpoint begun, that had to wait for its turn. */
    NOTED
  }

  /**
   * @param isAgain true if a dispatcher had some of the run's readings, and died
   */
  CheckpointCoordinator(
      Run run,
      ServiceSettings settings,
      int matchers,
      TaskCheckpoints checkpoints,
      DispatcherOutputs outputs,
      AdmissionTurns turns,
      boolean isAgain) {
    this.settings = settings;
    this.checkpoints = checkpoints;
    this.outputs = outputs;
    this.matchers = matchers;
    this.partNames = TaskCheckpoints.partNames(settings.topology().mode(), matchers);
    this.meters = new CheckpointMeters(run.robot());
    this.pace = new CheckpointPace(settings.checkpoint());
    this.latest = CheckpointSearch.nothing(run);
    FatalReadingSearch.Written written =
        (of, at) -> outputs.stored.emit(new Payload.Stored(of, at, NOTE, NO_PARTS, 0, ""));
    this.turn = new CheckpointTurn(turns, written);
    this.fatalReadings =
        new FatalReadingSearch(
            run, checkpoints.store(), checkpoints.writer(), written, turns, isAgain);
  }

  /** Keeps what the service fails at beside the checkpoints. */
  FailedReadings failedReadings() {
    return new FailedReadings(checkpoints.store(), checkpoints.writer());
  }

  /** Holds readings back while it is looked for one that ends this process. */
  FatalReadingSearch fatalReadings() {
    return fatalReadings;
  }

  /** Number of tasks that hold particles. */
  int matchers() {
    return matchers;
  }

  /** Names of the parts of all components but the dispatcher. */
  Set<String> partNames() {
    return partNames;
  }

  // --- the checkpoint of a run that has begun before ---------------------------------------------

  /** Looks for the run's checkpoint; what is found comes as a message to the dispatcher itself. */
  void lookFor(Run run) {
    new CheckpointSearch(settings, checkpoints, fatalReadings, outputs.restored).lookFor(run);
  }

  /** What was looked for is found: this is the latest checkpoint. */
  void found(Payload.Restored message) {
    latest = message.found();
    latestState = message.state();
    knownMap = exists() ? saved().knownMap() : knownMap;
  }

  /** The map that the robot is to be found in; null if it makes one. */
  PackedMap knownMap() {
    return knownMap;
  }

  /**
   * The run's first reading has come with a map.
   *
   * @return true if that was not known: the run begins anew
   */
  boolean learn(PackedMap map) {
    if (exists() || knownMap != null) {
      return false;
    }
    knownMap = map;
    return true;
  }

  // --- the latest checkpoint ---------------------------------------------------------------------

  /** The latest checkpoint is of no use: the run begins with nothing. */
  void forget(Run run) {
    latest = CheckpointSearch.nothing(run);
    latestState = new byte[0];
    knownMap = null;
  }

  /** True if the run has a checkpoint; else it begins with nothing. */
  boolean exists() {
    return latest.parts().length > 0;
  }

  /** The last reading in it; 0 for none. */
  long reading() {
    return latest.reading();
  }

  /** The epoch in which it was taken; 0 for none. */
  long epoch() {
    return latest.epoch();
  }

  /** The dispatcher's own state in it. */
  SavedReadings saved() {
    if (latestState.length == 0) {
      return SavedReadings.nothing(new ReadingFilter(settings.filter()), knownMap);
    }
    try {
      return StateCodec.decode(latestState, SavedReadings.class);
    } catch (IOException e) {
      throw new IllegalStateException("the dispatcher's part of the checkpoint is damaged", e);
    }
  }

  /**
   * Has all components load it.
   *
   * @param recovery what the run's restores cost so far
   * @param failure why the run is only to be brought to its end; else empty
   */
  void emitRestore(Run run, RecoveryReport recovery, String failure) {
    outputs.restore.emit(
        new Payload.Restore(
            run, latest.epoch(), latest.reading(), latest.parts(), recovery, failure, knownMap));
  }

  // --- the next checkpoint -----------------------------------------------------------------------

  /** An epoch begins: nothing is being stored. */
  void beginEpoch(long now) {
    pending = null;
    turn.leaveUnlessTaken(); // Before the reading leaves, which would begin what waits.
    fatalReadings.reset();
    isReleased = false;
    pace.begin(now);
  }

  /** Has matchers let go of a refused run, whose latest checkpoint has all they know. */
  void releaseParticles(Run run) {
    if (!isReleased) {
      isReleased = true;
      outputs.releaseParticles(run);
    }
  }

  private void endPending() {
    pending = null;
    turn.end();
  }

  /** True if one is being stored, or waits for its turn. */
  boolean isPending() {
    return pending != null || turn.isWaited();
  }

  /** When one may be begun. */
  CheckpointTurn turn() {
    return turn;
  }

  /** True if the latest attempt failed, or there is no store. */
  boolean fails() {
    return !failure.isEmpty() || checkpoints.store().isEmpty();
  }

  /** Since when no attempt succeeded, and why, for people; empty if the latest did. */
  String notDurable() {
    return failure.isEmpty() ? "" : "since reading " + latest.reading() + ": " + failure;
  }

  /** Since all that had come was in a checkpoint. */
  double ageSeconds() {
    return meters.ageSeconds();
  }

  /** True if it is time for one. */
  boolean isDue(long now) {
    return pace.isDue(now);
  }

  /**
   * Begins one, now or when it has its turn, unless one is being stored or nothing has come since
   * the latest.
   *
   * @param reading the latest that was let into the filter
   * @param state the dispatcher's own, after that reading
   * @param isAnew true if it takes the latest one's place where nothing has come since
   */
  void begin(Run run, long reading, SavedReadings state, boolean isAnew, long now) {
    boolean isUpToDate = reading == latest.reading() && !isAnew;
    if (isUpToDate) {
      meters.upToDate();
      turn.end();
    } else if (checkpoints.store().isPresent() && pending == null && turn.take(run)) {
      begin(run, reading, state, now);
    }
  }

  private void begin(Run run, long reading, SavedReadings state, long now) {
    pace.begin(now);
    byte[] bytes = checkpoints.save(run, reading, state, outputs.stored);
    Set<String> names = new TreeSet<>(isReleased ? Set.of(PUBLISHERS) : partNames);
    names.add(PART);
    pending = new PendingCheckpoint(reading, now, bytes, names);
    if (isReleased) {
      pending.keep(cut(run, latest.epoch(), latest.reading()), latest.parts());
    }
    outputs.marks.emit(new Payload.Mark(run, reading, isReleased));
  }

  /** A part is stored, or cannot be; or the checkpoint is stored as a whole. */
  Progress stored(Payload.Stored message, long now) {
    if (message.part().equals(NOTE)) {
      fatalReadings.written();
      return Progress.NOTED;
    }
    pace.encoded(message.encodingNanos());
    if (pending == null || message.reading() != pending.reading()) {
      return Progress.NONE;
    }
    if (!message.failure().isEmpty()) {
      return fail(message.run(), message.failure());
    }
    if (message.part().equals(PendingCheckpoint.MANIFEST)) {
      succeed(message.run(), now);
      return Progress.DURABLE;
    }
    if (pending.add(message.part(), message.beside())) {
      commit(message.run());
    }
    return Progress.NONE;
  }

  private void commit(Run run) {
    CheckpointStore store = checkpoints.store().orElseThrow();
    Cut cut = cut(run, run.epoch(), pending.reading());
    PendingCheckpoint whole = pending;
    Manifest manifest =
        new Manifest(
            cut, Version.current(), settings.identity(knownMap != null), List.of(pending.parts()));
    checkpoints.writer().execute(() -> outputs.stored.emit(whole.commit(run, manifest, store)));
  }

  private static Cut cut(Run run, long epoch, long reading) {
    return new Cut(TaskCheckpoints.name(run), epoch, reading);
  }

  private void succeed(Run run, long now) {
    latest =
        new Payload.Restore(
            run, run.epoch(), pending.reading(), pending.parts(), RecoveryReport.NONE, "");
    latestState = pending.dispatcherState();
    Cut cut = cut(run, run.epoch(), latest.reading());
    // Not sooner: until it is known that this one counts, the run is restored from the one before.
    checkpoints.writer().execute(() -> checkpoints.deleteBefore(cut));
    LOG.debug(
        "{}: durable up to reading {} after {} ms",
        run,
        latest.reading(),
        TimeUnit.NANOSECONDS.toMillis(now - pending.since()));
    long bytes = Arrays.stream(pending.parts()).mapToLong(Part::bytes).sum();
    meters.stored(bytes, now - pending.since());
    endPending();
    if (!failure.isEmpty()) {
      LOG.info("{} is durable again, up to reading {}", run, latest.reading());
    }
    failure = "";
    fatalReadings.durable(latest.reading());
  }

  private Progress fail(Run run, String why) {
    endPending();
    meters.failed();
    if (failure.isEmpty()) {
      LOG.warn("{} is not durable since reading {}: {}", run, latest.reading(), why);
    }
    failure = why;
    return Progress.FAILED;
  }

  /** Looks at the time: gives up one that takes too long. */
  Progress watch(Run run, long now) {
    int seconds = settings.topology().readingTimeoutSeconds();
    if (fatalReadings.watch(now)) {
      return Progress.NOTED;
    }
    return pending != null && now - pending.since() > TimeUnit.SECONDS.toNanos(seconds)
        ? fail(run, "its parts were not stored within " + seconds + " s")
        : Progress.NONE;
  }

  /** Nothing of the run is processed or stored any more: others need not wait for it. */
  void giveUp() {
    fatalReadings.close();
    turn.end();
  }

  /** Shows its figures from now on. */
  void showFigures() {
    meters.show();
  }

  /** Shows its figures no more. */
  void close() {
    meters.close();
    giveUp();
  }
}
