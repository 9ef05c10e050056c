package org.cartostream.topology.dispatch;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.FailedReadings;
import org.cartostream.topology.failure.FatalReadingSearch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.TopologyRefusal;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores one run: tells all components to load its latest checkpoint, under a new epoch, and
 * waits until they have. So a run begins, goes on after a failure, and goes on where another
 * dispatcher has begun it: then its checkpoint is looked for first.
 *
 * <p>Owns the run's epoch, the {@link RestoreAttempts}, and which components have their state.
 */
final class RunRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(RunRecovery.class);

  /** Components that do not come back are waited for this many times the time for a reading. */
  private static final int RESTORE_TIMEOUTS = 10;

  private static final String PUBLISHER = TaskCheckpoints.partName(Component.Publisher.class, 0);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A worker that has died is there again sooner, as a rule. */
  private static final long USUAL_SECONDS = 15;

  private final CheckpointCoordinator checkpoint;
  private final ReplayBuffer replayBuffer;
  private final FailedReadings failedReadings;
  private final LongUnaryOperator epochs;
  private final RestoreAttempts attempts = new RestoreAttempts();

  /** Names of the parts that are restored. */
  private final Set<String> restored = new TreeSet<>();

  private Run run;
  private boolean isOpening = true;

  /** True when all components have had their state in this epoch. */
  private boolean isComplete;

  /** The latest incarnation of the task that had a part, by the part's name. */
  private final Map<String, Long> incarnations = new HashMap<>();

  /** Those of them that were started since the epoch before. */
  private final Set<Long> started = new HashSet<>();

  /** Why the run will be given up when it is as far as it was answered; empty if it will not. */
  private String hopeless = "";

  /** By the dispatcher's PauseTolerantClock, as is each {@code now} here. */
  private long since;

  private long emittedAt;

  /** True once it is said what is waited for. */
  private boolean isWaitReported;

  /** What a component said last since the restore began, for people; empty if nothing. */
  private String complaint = "";

  /**
   * @param epochs gives the next epoch, greater than one that another service may have begun; 0 for
   *     none
   */
  RunRecovery(
      Run run,
      CheckpointCoordinator checkpoint,
      ReplayBuffer replayBuffer,
      LongUnaryOperator epochs) {
    this.run = run;
    this.checkpoint = checkpoint;
    this.replayBuffer = replayBuffer;
    this.failedReadings = checkpoint.failedReadings();
    this.epochs = epochs;
  }

  /** The run in its latest epoch. */
  Run run() {
    return run;
  }

  RestoreAttempts attempts() {
    return attempts;
  }

  /** Looks for the run's checkpoint, in case it has begun with another dispatcher. */
  void open(long now) {
    since = now;
    checkpoint.lookFor(run);
  }

  /**
   * A reading has come; the run's first one may bring the map that the robot is to be found in. Who
   * has begun without it begins anew; nothing is lost, for no reading comes before the first.
   */
  void learn(Payload.Arrival.OfReading reading, long now) {
    String why = checkpoint.fatalReadings().refused().get(reading.sequence());
    if (!isOpening && why != null) {
      failedReadings.keep(reading, why);
    }
    if (reading.knownMap() != null && checkpoint.learn(reading.knownMap()) && !isOpening) {
      begin(0, "", now);
    }
  }

  /** True while the checkpoint is looked for. */
  boolean isOpening() {
    return isOpening;
  }

  /** True until all components have their state. */
  boolean isRestoring() {
    return !restored.equals(checkpoint.partNames());
  }

  private void found(Payload.Restored message, long now) {
    isOpening = false;
    checkpoint.found(message);
    forgetDurable();
    if (checkpoint.exists()) {
      attempts.goOnFrom(checkpoint.saved().recovery(), checkpoint.reading(), since);
      LOG.info("{} goes on from its checkpoint at reading {}", run, checkpoint.reading());
    }
    checkpoint.fatalReadings().refused().forEach(this::refuse);
    begin(checkpoint.epoch(), "", now);
  }

  /** What is in the latest checkpoint is never processed again. */
  void forgetDurable() {
    replayBuffer.forgetTo(checkpoint.reading());
    attempts.forgetTo(checkpoint.reading());
  }

  /**
   * Handles a component's failure. A reading at which it fails again is refused; a run that still
   * fails is given up, but is first brought as far as it was answered.
   *
   * @return why the run is to be given up, for people; empty if it is restored, now or later
   */
  String failed(Payload.Failed message, long now) {
    boolean isFirst = attempts.failed(message, now);
    if (!hopeless.isEmpty()) {
      return hopeless;
    }
    boolean isToRefuse = attempts.isToRefuse(message.reading());
    if (isToRefuse && refuseNext(message, now)) {
      return restore(message.sentence(), now);
    }
    if (isToRefuse || attempts.isHopeless()) {
      hopeless = message.sentence();
    }
    return isFirst || !hopeless.isEmpty() ? restore(message.sentence(), now) : "";
  }

  private boolean refuseNext(Payload.Failed message, long now) {
    if (!refuse(message.reading(), message.sentence())) {
      return false;
    }
    checkpoint.fatalReadings().refuse(message.reading(), message.sentence(), now);
    attempts.refuse(message.reading());
    return true;
  }

  /** False if the reading is not here, or is refused already. */
  private boolean refuse(long reading, String why) {
    boolean isNew = replayBuffer.refusal(reading) == null;
    Optional<Payload.Arrival.OfReading> refused =
        replayBuffer.refuseNext(reading, TopologyRefusal.FAILS.because(why));
    refused.ifPresent(each -> failedReadings.keep(each, why));
    if (isNew) {
      LOG.warn("{} goes on without reading {}: {}", run, reading, why);
    }
    return refused.isPresent();
  }

  /** A component is not ready, perhaps because it cannot load its part; it will be told again. */
  void complained(Payload.Failed message) {
    complaint = ": " + message.sentence();
  }

  /** The number of the last reading that may be let in: only so far will the run be brought. */
  long last() {
    return hopeless.isEmpty() ? Long.MAX_VALUE : attempts.furthest();
  }

  /** Why the run will be given up, for people; empty if it will not. */
  String hopeless() {
    return hopeless;
  }

  /** Restores the run if it is time for that, with a result as {@link #restore} has. */
  String restoreIfDue(long now) {
    String why = attempts.due(now);
    return why.isEmpty() ? "" : restore(why, now);
  }

  /**
   * Begins to restore the run, for the reason given.
   *
   * @return why it cannot be, for people; empty if all is well
   */
  String restore(String why, long now) {
    if (!replayBuffer.isWhole()) {
      return why
          + "; and the run cannot be restored, for it is not durable since reading "
          + checkpoint.reading();
    }
    if (attempts.count() >= RestoreAttempts.MOST) {
      return why + "; the run was restored " + RestoreAttempts.MOST + " times and came no further";
    }
    attempts.begin(checkpoint.reading(), now);
    LOG.warn(
        "{}: restored from reading {} on, and {} readings repeated: {}",
        run,
        checkpoint.reading(),
        replayBuffer.size(),
        why);
    begin(0, "", now);
    return "";
  }

  /** The run cannot go on; what was not answered is to be reported. */
  void giveUp(String why) {
    LOG.warn("{} is given up: {}", run, why);
    replayBuffer.giveUp();
  }

  /** A run that cannot go on is only to be brought to its end. */
  void restoreToEnd(String failure, long now) {
    begin(0, failure, now);
  }

  /** All that happens in an epoch begins here. */
  private void begin(long foundEpoch, String failure, long now) {
    run = run.begun(epochs.applyAsLong(foundEpoch));
    checkpoint.beginEpoch(now);
    restored.clear();
    isComplete = false;
    started.clear();
    complaint = "";
    isWaitReported = false;
    since = now;
    emittedAt = now - AGAIN_NANOS;
    emitRestore(failure, now);
  }

  /**
   * Sends all components the restore, at most once a second; those that have restored answer again.
   */
  void emitRestore(String failure, long now) {
    if (now - emittedAt >= AGAIN_NANOS) {
      emittedAt = now;
      checkpoint.emitRestore(run, attempts.report(), failure);
    }
  }

  /**
   * A component has what it needs for the end of a run that is given up, or cannot have it: then
   * the publisher begins with nothing, for the robot must learn that the run is given up.
   *
   * @return true if the publisher can answer
   */
  boolean restoredToEnd(Payload.Restored message, String failure, long now) {
    if (isBehind(message)) {
      begin(message.found().epoch(), failure, now);
      return false;
    }
    boolean isPublisher = message.part().equals(PUBLISHER);
    if (isPublisher && !message.failure().isEmpty()) {
      checkpoint.forget(run);
      begin(0, failure, now);
    }
    return isPublisher && message.failure().isEmpty();
  }

  /** A component has its state, or the dispatcher has found the run's checkpoint. */
  void restored(Payload.Restored message, long now) {
    boolean isOwn = isOwn(message);
    if (!isOpening && isBehind(message)) {
      begin(message.found().epoch(), "", now);
    } else if (isOwn && isOpening) {
      found(message, now);
    } else if (!isOwn && !isOpening) {
      restored.add(message.part());
      Long before = incarnations.put(message.part(), message.incarnation());
      if (before != null && before != message.incarnation()) {
        started.add(message.incarnation());
      }
    }
    if (isRestoring() || isComplete) {
      return;
    }
    isComplete = true;
    checkpoint.turn().end();
    refuseFatal(now);
    if (attempts.report().times() > 0) {
      LOG.info(
          "{}: restored at reading {} after {} ms",
          run,
          checkpoint.reading(),
          TimeUnit.NANOSECONDS.toMillis(now - since));
    }
  }

  /** True if all components have their state, and what is refused is noted. */
  boolean mayGoOn(long now) {
    return isComplete && checkpoint.fatalReadings().mayTellRefusals(now);
  }

  private static boolean isOwn(Payload.Restored message) {
    return message.part().equals(CheckpointCoordinator.PART);
  }

  /**
   * True if a component has met a later epoch of the robot: that of a dispatcher before this one,
   * which had gone on from another service's checkpoint ({@link DispatcherBolt}).
   */
  private boolean isBehind(Payload.Restored message) {
    return !isOwn(message) && message.found().epoch() > run.epoch();
  }

  /** A reading at which processes have ended, while this one went on, is not processed again. */
  private void refuseFatal(long now) {
    checkpoint
        .fatalReadings()
        .goOn(run, checkpoint.reading(), incarnations.values(), started, now)
        .ifPresent(
            each -> {
              refuse(each, FatalReadingSearch.SENTENCE);
              attempts.refuse(each);
            });
  }

  /**
   * Looks at the time: who was just started may not have received what is to be restored.
   *
   * @return why the run cannot be restored, for people; empty if all is well
   */
  String watch(int readingTimeoutSeconds, long now) {
    if (!isWaitReported && !trouble(now).isEmpty()) {
      isWaitReported = true;
      LOG.warn("{} {}", run, trouble(now));
    }
    if (isOpening) {
      // A new run need not wait for a store that hangs; an old one has nothing to begin with.
      int patience = (replayBuffer.hasFirst() ? 1 : RESTORE_TIMEOUTS) * readingTimeoutSeconds;
      if (now - since > TimeUnit.SECONDS.toNanos(patience)) {
        LOG.warn("{} begins anew, for its checkpoints' store does not answer", run);
        found(CheckpointSearch.nothingFound(run), now);
      }
      return "";
    }
    checkpoint.fatalReadings().watch(now);
    long seconds = (long) RESTORE_TIMEOUTS * readingTimeoutSeconds;
    if (now - since <= TimeUnit.SECONDS.toNanos(seconds)) {
      emitRestore("", now);
      return "";
    }
    return "of its tasks %s did not come back within %d s%s"
        .formatted(missing(), seconds, complaint);
  }

  private Set<String> missing() {
    Set<String> missing = new TreeSet<>(checkpoint.partNames());
    missing.removeAll(restored);
    return missing;
  }

  /** What a restore waits for that takes unusually long, for people; empty if none does. */
  String trouble(long now) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now - since);
    if (seconds < USUAL_SECONDS || !isOpening && !isRestoring()) {
      return "";
    }
    String what = isOpening ? "the store of its checkpoints" : "its tasks " + missing() + complaint;
    return "has waited for %d s to be restored, for %s".formatted(seconds, what);
  }
}
