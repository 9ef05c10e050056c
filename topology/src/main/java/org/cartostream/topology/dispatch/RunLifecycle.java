package org.cartostream.topology.dispatch;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.failure.DeadLetterFolder;
import org.cartostream.topology.failure.PoisonReadingDetector;
import org.cartostream.topology.memory.MemoryQuota;
import org.cartostream.topology.run.IdleTimer;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.TopologyRefusal;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one run as a state machine. It has the run's readings admitted to the filter, and
 * restores the run after any failure: all components load the run's latest checkpoint in a new
 * epoch, and the readings after it are processed again, with the same answers.
 *
 * <p>The machine is in one {@link State}. Events come by {@link #handle}; after each event the
 * machine goes on as far as it can. Work that it asks others for comes back as another event.
 *
 * <p>Owns the state, the {@link RestorePoint} from which the run would be restored now, and the
 * reason for which it is given up. Parts of the work are done by classes that know neither this one
 * nor each other: the {@link ReadingLedger} and the epoch's {@link ReadingScheduler}, the {@link
 * CheckpointCoordinator}, the {@link RestoreRound}, the {@link RestorePolicy}, the {@link
 * PoisonReadingDetector} and the {@link MemoryQuota}.
 */
final class RunLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(RunLifecycle.class);

  private static final String PUBLISHER = TaskCheckpoints.partName(Component.Publisher.class, 0);

  private static final String LOST =
      "Readings %d to %d are lost: the service has not had them, and the robot's side has them no more";

  /**
   * Stands for a part in the message by which the dispatcher learns that a note of a suspected
   * reading is written ({@link PoisonReadingDetector}), or that a checkpoint has its turn.
   */
  private static final CheckpointPart NOTE = new CheckpointPart("note", 0, "", false);

  /**
   * Number of reading time-outs after which a restore is given up because components do not come
   * back.
   */
  private static final int RESTORE_TIMEOUTS = 10;

  /**
   * Duration of a restore from which it is reported as unusually long, seconds; a dead worker is
   * usually back sooner.
   */
  private static final long USUAL_SECONDS = 15;

  private enum State {
    /** The run's checkpoint is looked for, in case the run has begun with another dispatcher. */
    LOOKING,
    /** All components load the restore point. */
    RESTORING,
    /** Readings are admitted to the filter. */
    RUNNING,
    /**
     * Readings are admitted again up to the last one that was answered; then the run is given up,
     * as it fails again and again.
     */
    TO_LAST_ANSWER,
    /**
     * All readings are answered, and the last checkpoint is being stored, from which the run can go
     * on another day.
     */
    FINISHING,
    /** The result was sent to the robot. */
    ENDED,
    /** The run cannot go on; the publisher is being restored, so that it can tell the robot. */
    GIVING_UP,
    /** The run cannot go on, and the robot was told. */
    FAILED;

    boolean isBeforeFilter() {
      return this == LOOKING || this == RESTORING;
    }

    /** Returns true if the particle filter has the run. */
    boolean isInFilter() {
      return this == RUNNING || this == TO_LAST_ANSWER || this == FINISHING;
    }

    boolean isGivenUp() {
      return this == GIVING_UP || this == FAILED;
    }
  }

  private final DispatcherContext context;
  private final TopologySettings settings;
  private final DispatcherOutputs outputs;
  private final LongUnaryOperator epochs;
  private final ReadingLedger ledger;
  private final CheckpointCoordinator checkpoints;
  private final RestorePolicy policy = new RestorePolicy();
  private final PoisonReadingDetector fatalReadings;
  private final DeadLetterFolder deadLetterFolder;
  private final MemoryQuota memoryQuota;
  private final IdleTimer idleTimer;

  private State state = State.LOOKING;

  /** Time at which the state began, by the dispatcher's clock, nanoseconds. */
  private long since;

  /** True if the log has said what the current state waits for. */
  private boolean isWaitReported;

  private RestorePoint point = RestorePoint.nothing(null);
  private RestoreRound round;

  /** Scheduler of the latest epoch; null until the run is in the filter for the first time. */
  private ReadingScheduler scheduler;

  /**
   * True if readings that come may have been answered before, so that the robot's credit does not
   * bound their number.
   */
  private boolean mayBeAnswered;

  /**
   * Reason for which the run is given up, now or at its last answered reading, for people; empty if
   * it is not.
   */
  private String failure = "";

  /**
   * @param epochs returns the next epoch, greater than a checkpoint's epoch that it is given; 0 for
   *     no checkpoint
   * @param isRedelivered true if the broker had delivered some of the run's readings before
   * @param mayBeAnswered true if an earlier dispatcher may have answered some of the run's readings
   */
  RunLifecycle(
      Run run,
      DispatcherContext context,
      ReadingLedger ledger,
      LongUnaryOperator epochs,
      boolean isRedelivered,
      boolean mayBeAnswered) {
    this.context = context;
    this.settings = context.settings().topology();
    this.outputs = context.outputs();
    this.ledger = ledger;
    this.epochs = epochs;
    this.mayBeAnswered = mayBeAnswered;
    this.round = RestoreRound.none(run);
    PoisonReadingDetector.Written written =
        (of, at) ->
            outputs.stored.emit(new Payload.Stored(of, at, NOTE, new CheckpointPart[0], 0, ""));
    this.checkpoints = new CheckpointCoordinator(run.robot(), context, written);
    TaskCheckpoints own = context.checkpoints();
    this.fatalReadings =
        new PoisonReadingDetector(
            run, own.store(), own.writer(), written, context.admissionLock(), isRedelivered);
    this.deadLetterFolder = new DeadLetterFolder(own.store(), own.writer());
    this.memoryQuota = new MemoryQuota(run.robot(), context.settings());
    this.idleTimer = new IdleTimer(settings);
  }

  /** Returns the run in its latest epoch. */
  Run run() {
    return round.run();
  }

  private void enter(State next, long now) {
    state = next;
    since = now;
    isWaitReported = false;
  }

  // --- events ------------------------------------------------------------------------------------

  /**
   * Begins the run: its checkpoint is looked for.
   *
   * @param now the time by the dispatcher's clock, nanoseconds, as each {@code now} of this class
   */
  void open(long now) {
    idleTimer.begin(now);
    enter(State.LOOKING, now);
    new CheckpointSearch(context, fatalReadings).lookFor(run());
  }

  /** Handles a message of the robot, or a message of a component in the run's epoch. */
  void handle(Payload event, long now) {
    if (event instanceof Arrival arrival) {
      receive(arrival, now);
    } else if (event instanceof Payload.Done done) {
      done(done, now);
    } else if (event instanceof Payload.Stored stored) {
      stored(stored, now);
    } else if (event instanceof Payload.Restored restored) {
      restored(restored, now);
    } else if (event instanceof Payload.Failed failed) {
      failed(failed, now);
      return; // Going on would only fail again at once.
    } else if (event instanceof Payload.MapMemoryUse map) {
      memoryQuota.drawn(map);
    }
    advance(now);
  }

  /** Checks time-outs; called at each tick. */
  void watch(long now) {
    if (policy.isWaiting() && !state.isGivenUp()) {
      String why = policy.due(now);
      if (!why.isEmpty()) {
        restore(why, now);
      }
    } else if (state.isBeforeFilter()) {
      watchRestore(now);
    } else if (state.isInFilter()) {
      watchFilter(now);
    } else {
      outputs.keepAliveIfDue(run(), idleTimer, now);
    }
    advance(now);
  }

  /** Refuses further readings: the service is short of memory, and this run takes most of it. */
  void refuse(Refusal.Reason why, long now) {
    if (state.isInFilter()) {
      scheduler.refuseRest(why);
      advance(now);
    }
  }

  /**
   * Makes room at the broker, which delivers nothing more while too many messages are
   * unacknowledged. Acknowledges all readings if no checkpoint can be stored, or if all that had
   * their turn are in a checkpoint. The other readings wait behind a gap; if the dispatcher dies,
   * the gateway is asked for them. Then begins a checkpoint.
   */
  void makeRoom(long now) {
    boolean isStored = scheduler != null && ledger.lastTurn() == point.reading();
    if (!checkpoints.isPending() && (checkpoints.fails() || isStored)) {
      ledger.acknowledgeUpTo(PendingAcks.END);
    }
    // Last: a checkpoint begun first would be pending, and prevent acknowledgements if all fail.
    beginCheckpoint(now);
  }

  // --- progress ----------------------------------------------------------------------------------

  /** Does everything that the latest event has made possible. */
  private void advance(long now) {
    if (state == State.RESTORING && round.isComplete() && fatalReadings.mayTellRefusals(now)) {
      resume(now);
    }
    if (!state.isInFilter()) {
      return;
    }
    admit(now);
    applyMemoryRefusal(now);
    if (checkpoints.hasTurn()) {
      beginCheckpoint(now);
    }
    policy.served(scheduler.latestServed(), now);
    if (scheduler.isIdle() && ledger.lastTurn() >= last()) {
      fail(failure, now);
    } else if (scheduler.end().isPresent()) {
      finish(scheduler.end().get(), now);
    }
  }

  private void resume(long now) {
    mayBeAnswered |= policy.report().times() > 0;
    scheduler = new ReadingScheduler(run(), context, point, ledger, memoryQuota, mayBeAnswered);
    enter(failure.isEmpty() ? State.RUNNING : State.TO_LAST_ANSWER, now);
    scheduler.receiveKept();
  }

  /** Returns the number of the last reading that may be admitted. */
  private long last() {
    return state == State.TO_LAST_ANSWER ? policy.furthest() : Long.MAX_VALUE;
  }

  private void admit(long now) {
    while (mayAdmit(now)) {
      if (!scheduler.serveNext(fatalReadings.isNoted(), now)) {
        return;
      }
    }
  }

  private boolean mayAdmit(long now) {
    if (scheduler.isIdle()) {
      fatalReadings.done(now);
    }
    Arrival.OfReading next = scheduler.next();
    return next != null
        && ledger.lastTurn() < last()
        && fatalReadings.mayAdmit(run(), next.sequence(), now);
  }

  /**
   * Refuses the run's further readings for its memory. If checkpoints can be stored, the refusal is
   * in one before the robot is told and before the matchers release particles, since a restored run
   * would not count its memory in the same way.
   */
  private void applyMemoryRefusal(long now) {
    if (memoryQuota.isToBeStored()) {
      if (!checkpoints.isPending() && !checkpoints.fails()) {
        beginCheckpoint(now);
      }
      if (!checkpoints.isPending()) {
        memoryQuota.act();
      }
      admit(now); // A noted reading that waited for the refusal then gives up its turn.
    }
    if (point.exists() && memoryQuota.refusesAfter(point.reading()) && !checkpoints.isPending()) {
      scheduler.releaseParticles();
    }
  }

  /** Ends the run: sends its result, when that is in a checkpoint. */
  private void finish(Arrival.OfEnd end, long now) {
    state = State.FINISHING;
    if (!checkpoints.isPending() && !checkpoints.fails()) {
      beginCheckpoint(now);
    }
    if (checkpoints.isPending()) {
      return;
    }
    enter(State.ENDED, now);
    LOG.info("{} has ended, after {} readings", run(), end.sequence());
    close();
    emitEnded(end);
    outputs.release(run(), false);
    acknowledgeEndIfDurable();
  }

  // --- readings ----------------------------------------------------------------------------------

  /** Receives a message of the robot. */
  private void receive(Arrival arrival, long now) {
    idleTimer.end(now);
    if (arrival instanceof Arrival.OfEnd end) {
      receive(end);
    } else if (arrival instanceof Arrival.OfReading reading) {
      receive(reading, now);
    } else if (arrival instanceof Arrival.OfGone gone) {
      receive(gone, now);
    }
  }

  private void receive(Arrival.OfReading reading, long now) {
    if (state.isGivenUp()) {
      // If the publisher is not restored yet it does not answer; then the gateway sends it again.
      outputs.reportLost(run(), reading, failure);
      ledger.acknowledgeUpTo(reading.sequence());
      return;
    }
    // Another service may have processed the run's beginning.
    mayBeAnswered |= scheduler == null && ledger.isEmpty() && reading.sequence() > 1;
    adopt(reading.knownMap(), now);
    ReadingLedger.Reply reply = ledger.receive(reading);
    String why = fatalReadings.refusals().get(reading.sequence());
    if (state != State.LOOKING && why != null) {
      deadLetterFolder.keep(reading, why);
    }
    if (state.isInFilter() || state == State.ENDED) {
      scheduler.received(reading, reply);
    }
  }

  /**
   * Adopts the map in which the robot is localised, which comes with the run's first reading.
   * Components that have begun without the map are restored with it; nothing is lost, as no reading
   * was processed before the first.
   */
  private void adopt(PackedMap map, long now) {
    if (point.lacks(map)) {
      point = RestorePoint.nothing(map);
      if (state != State.LOOKING) {
        beginEpoch(0, State.RESTORING, now);
      }
    }
  }

  private void receive(Arrival.OfEnd end) {
    ledger.receive(end);
    if (state == State.ENDED || state.isGivenUp()) {
      emitEnded(end);
      acknowledgeEndIfDurable();
    }
  }

  private void receive(Arrival.OfGone gone, long now) {
    ledger.acknowledgeUpTo(PendingAcks.GONE);
    long next = ledger.lastTurn() + 1;
    if (state.isInFilter() && gone.sequence() <= next && next <= gone.last()) {
      fail(LOST.formatted(next, gone.last()), now);
    }
  }

  /** Notes that a task is done with its part of a reading. */
  private void done(Payload.Done by, long now) {
    if (!state.isInFilter()) {
      return;
    }
    if (by instanceof Payload.ResponseSent answered && answered.isToCome()) {
      fatalReadings.mapsArePaused(answered.sequence());
    } else {
      scheduler.done(by, now);
    }
  }

  private void watchFilter(long now) {
    long patience = policy.patienceNanos(settings.patienceNanos());
    InFlightReading late = scheduler.late(patience, now).orElse(null);
    if (late != null) {
      long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(patience));
      restore("reading " + late.sequence() + " was not processed within " + seconds + " s", now);
      return;
    }
    if (scheduler.isIdle() && idleTimer.nanos(now) > settings.patienceNanos()) {
      policy.forgetFailures();
    }
    fatalReadings.watch(now);
    checkpoints.watch(run(), point.reading(), now);
    scheduler.askForMissing(now);
    if (!scheduler.isIdle() || checkpoints.isPending()) {
      idleTimer.expireKeepAlive();
    }
    outputs.keepAliveIfDue(run(), idleTimer, now);
    // The last checkpoint is begun by finish(): if it fails, the end waits for no other.
    if (state != State.FINISHING && checkpoints.isDue(now)) {
      beginCheckpoint(now);
    }
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /** Begins a checkpoint, unless one is pending or there is no reading since the latest. */
  private void beginCheckpoint(long now) {
    if (state.isInFilter() && !checkpoints.isPending()) {
      boolean anew = memoryQuota.isToBeStored();
      SavedReadings saved = scheduler.save(policy.report());
      checkpoints.begin(run(), point, ledger.lastTurn(), saved, anew, scheduler.isReleased(), now);
    }
  }

  /**
   * Takes a message that a note is written, or that a part of a checkpoint or all of it is stored.
   */
  private void stored(Payload.Stored message, long now) {
    if (message.part().equals(NOTE)) {
      fatalReadings.written();
      return;
    }
    Optional<RestorePoint> later = checkpoints.stored(message, point.reading(), now);
    if (later.isPresent()) {
      point = later.get();
      fatalReadings.durable(point.reading());
      memoryQuota.stored();
      forgetDurable();
      acknowledgeEndIfDurable();
    }
  }

  /** Forgets the readings in the latest checkpoint, which are never processed again. */
  private void forgetDurable() {
    ledger.forgetTo(point.reading());
    policy.forgetTo(point.reading());
  }

  /**
   * Acknowledges the message of the run's end when the end is in a checkpoint, or never can be.
   * Until then a dispatcher that takes this one's place needs all messages.
   */
  private void acknowledgeEndIfDurable() {
    if (state.isGivenUp()
        || !ledger.isWhole()
        || state == State.ENDED && point.reading() == ledger.lastTurn()) {
      ledger.acknowledgeUpTo(PendingAcks.END);
    }
  }

  // --- restoring ---------------------------------------------------------------------------------

  /**
   * Begins a new epoch, in which all components restore the run.
   *
   * @param foundEpoch epoch that the new one must exceed; 0 for none
   */
  private void beginEpoch(long foundEpoch, State next, long now) {
    Run begun = run().begun(epochs.applyAsLong(foundEpoch));
    endEpoch(now);
    round = round.next(begun, context.partNames(), now);
    enter(next, now);
    emitRestore(now);
  }

  private void endEpoch(long now) {
    ledger.suspend();
    checkpoints.beginEpoch(now); // First: the next call may begin waiting checkpoints.
    fatalReadings.beginEpoch();
  }

  /**
   * Sends all components the request to restore, at most once a second; components that have
   * restored already answer again.
   */
  private void emitRestore(long now) {
    if (round.isToldAgain(now)) {
      String why = state.isGivenUp() ? failure : "";
      outputs.restore.emit(point.restore(run(), policy.report(), why));
    }
  }

  /**
   * Takes a message that a component has its state, or that the search for the run's checkpoint is
   * over.
   */
  private void restored(Payload.Restored message, long now) {
    boolean isOwn = message.part().equals(CheckpointCoordinator.PART);
    if (state.isGivenUp() && !isOwn) {
      restoredToEnd(message, now);
    } else if (state.isBeforeFilter() && !message.failure().isEmpty()) {
      fail(message.failure(), now);
    } else if (state == State.LOOKING && isOwn) {
      found(message, now);
    } else if (state == State.RESTORING && !isOwn) {
      if (round.isBehind(message)) {
        beginEpoch(message.found().epoch(), State.RESTORING, now);
      } else if (round.restored(message)) {
        restored(now);
      }
    }
  }

  private void found(Payload.Restored message, long now) {
    point = RestorePoint.found(message, point.knownMap());
    forgetDurable();
    if (point.exists()) {
      RecoveryReport before = point.saved(context.settings().filter()).recovery();
      policy.resumeFrom(before, point.reading(), since);
      LOG.info("{} goes on from its checkpoint at reading {}", run(), point.reading());
    }
    fatalReadings.refusals().forEach(this::refuseFailing);
    beginEpoch(point.epoch(), State.RESTORING, now);
  }

  /** Notes that all components have their state. */
  private void restored(long now) {
    checkpoints.end(); // No task is busy with an earlier epoch's checkpoint any more.
    fatalReadings
        .restored(run(), point.reading(), round.incarnations().values(), round.started(), now)
        .ifPresent(
            each -> {
              refuseFailing(each, PoisonReadingDetector.SENTENCE);
              policy.refuse(each);
            });
    if (policy.report().times() > 0) {
      LOG.info(
          "{}: restored at reading {} after {} ms",
          run(),
          point.reading(),
          TimeUnit.NANOSECONDS.toMillis(now - since));
    }
  }

  /**
   * Begins to restore the run, or gives it up if it cannot be restored.
   *
   * @param why reason, for people
   */
  private void restore(String why, long now) {
    if (!ledger.isWhole()) {
      fail(
          why
              + "; and the run cannot be restored, for it is not durable since reading "
              + point.reading(),
          now);
    } else if (policy.restores() >= RestorePolicy.MAX_RESTORES) {
      fail(
          why
              + "; the run was restored "
              + RestorePolicy.MAX_RESTORES
              + " times and came no further",
          now);
    } else {
      policy.begin(point.reading(), now);
      LOG.warn(
          "{}: restored from reading {} on, and {} readings repeated: {}",
          run(),
          point.reading(),
          ledger.after(0).size(),
          why);
      beginEpoch(0, State.RESTORING, now);
    }
  }

  /**
   * Checks the time-outs of a restore, and repeats the request, which a task that was just started
   * may not have received.
   */
  private void watchRestore(long now) {
    String trouble = waitsFor(now);
    if (!isWaitReported && !trouble.isEmpty()) {
      isWaitReported = true;
      LOG.warn("{} {}", run(), trouble);
    }
    long timeout = settings.readingTimeoutSeconds();
    if (state == State.LOOKING) {
      // A new run need not wait for a hanging store; an old run cannot begin without its
      // checkpoint.
      long patience = (ledger.hasFirst() ? 1 : RESTORE_TIMEOUTS) * timeout;
      if (now - since > TimeUnit.SECONDS.toNanos(patience)) {
        LOG.warn("{} begins anew, for its checkpoints' store does not answer", run());
        found(CheckpointSearch.nothingFound(run()), now);
      }
      return;
    }
    fatalReadings.watch(now);
    if (now - since <= TimeUnit.SECONDS.toNanos(RESTORE_TIMEOUTS * timeout)) {
      emitRestore(now);
    } else {
      fail(
          "of its tasks %s did not come back within %d s%s"
              .formatted(round.missing(), RESTORE_TIMEOUTS * timeout, round.complaint()),
          now);
    }
  }

  /** Returns what an unusually long restore waits for, for people; empty if there is none. */
  private String waitsFor(long now) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now - since);
    boolean isWaiting = state == State.LOOKING || state == State.RESTORING && !round.isComplete();
    if (seconds < USUAL_SECONDS || !isWaiting) {
      return "";
    }
    String what =
        state == State.LOOKING
            ? "the store of its checkpoints"
            : "its tasks " + round.missing() + round.complaint();
    return "has waited for %d s to be restored, for %s".formatted(seconds, what);
  }

  // --- failures ----------------------------------------------------------------------------------

  /** Handles the failure of a component. */
  private void failed(Payload.Failed message, long now) {
    boolean isPublisher = message.component().equals(Component.nameOf(Component.Publisher.class));
    boolean matters =
        switch (state) {
          case LOOKING -> false; // It will get a restore.
          case RESTORING -> !message.lost(); // A lost state will be restored.
          case RUNNING, TO_LAST_ANSWER, FINISHING -> true;
          case ENDED -> isPublisher; // The others are not needed any more.
          case GIVING_UP, FAILED -> false;
        };
    if (matters) {
      recover(message, now);
    } else if (state == State.RESTORING) {
      round.notReady(message);
    } else if (state.isGivenUp() && isPublisher && message.lost()) {
      state = State.GIVING_UP;
      emitRestore(now);
    }
  }

  /**
   * Restores the run, now or later. A reading at which a component fails again is refused. A run
   * that still fails is given up, but first it is brought to its last answered reading.
   */
  private void recover(Payload.Failed message, long now) {
    boolean isFirst = policy.failed(message, now);
    if (!failure.isEmpty()) {
      fail(failure, now);
      return;
    }
    boolean isToRefuse = policy.isToRefuse(message.reading());
    boolean isRefused = isToRefuse && refuseFailing(message.reading(), message.sentence());
    if (isRefused) {
      fatalReadings.refuse(message.reading(), message.sentence(), now);
      policy.refuse(message.reading());
    } else if (isToRefuse || policy.isToGiveUp()) {
      failure = message.sentence();
    }
    if (isFirst || isRefused || !failure.isEmpty()) {
      restore(message.sentence(), now);
    }
  }

  /**
   * Marks a reading at which the service fails, to be refused when it comes or is judged next.
   *
   * @return false if the reading is not here, or is refused already
   */
  private boolean refuseFailing(long reading, String why) {
    boolean isNew = ledger.refusal(reading) == null;
    Optional<Arrival.OfReading> refused =
        ledger.refuseLater(reading, TopologyRefusal.FAILS.because(why));
    refused.ifPresent(each -> deadLetterFolder.keep(each, why));
    if (isNew) {
      LOG.warn("{} goes on without reading {}: {}", run(), reading, why);
    }
    return refused.isPresent();
  }

  /** Gives the run up: readings without an answer, and those that still come, are lost. */
  private void fail(String why, long now) {
    LOG.warn("{} is given up: {}", run(), why);
    ledger.giveUp();
    failure = why;
    endEpoch(now);
    leaveTurns();
    if (state.isBeforeFilter()) {
      beginEpoch(0, State.GIVING_UP, now);
    } else {
      emitLost(now);
    }
  }

  /**
   * Takes a message of a component of a run that is given up. Reports the lost readings when the
   * publisher is restored; if it cannot be, it begins with nothing.
   */
  private void restoredToEnd(Payload.Restored message, long now) {
    boolean isPublisher = message.part().equals(PUBLISHER);
    if (round.isBehind(message)) {
      beginEpoch(message.found().epoch(), State.GIVING_UP, now);
    } else if (isPublisher && !message.failure().isEmpty()) {
      point = RestorePoint.nothing(null);
      beginEpoch(0, State.GIVING_UP, now);
    } else if (isPublisher) {
      emitLost(now);
    }
  }

  /** Reports all readings that were not answered as lost, and the run as ended. */
  private void emitLost(long now) {
    enter(State.FAILED, now);
    ledger.after(policy.furthest()).forEach(each -> outputs.reportLost(run(), each, failure));
    ledger.acknowledgeUpTo(PendingAcks.END);
    outputs.release(run(), false);
    if (ledger.end() != null) {
      emitEnded(ledger.end());
    }
  }

  private void emitEnded(Arrival.OfEnd end) {
    RecoveryReport report = policy.report().notDurable(checkpoints.notDurable(point.reading()));
    String why = state.isGivenUp() ? failure : "";
    outputs.ended.emit(
        new Payload.Ended(run(), end.sequence(), end.stampNanos(), end.heldMap(), report, why));
  }

  // --- the end, and queries ----------------------------------------------------------------------

  private void leaveTurns() {
    fatalReadings.close();
    checkpoints.end();
  }

  /** Ends processing and checkpoints of the run, and its metrics. */
  private void close() {
    checkpoints.meters().close();
    leaveTurns();
    memoryQuota.close();
  }

  /** Closes the run, and has all components forget it. */
  void forget() {
    ledger.close();
    outputs.release(run(), true);
    close();
  }

  /** Registers the run's metrics. */
  void showFigures() {
    checkpoints.meters().show();
    memoryQuota.showFigures();
  }

  /** Returns sentences for the operator about the state of the run. */
  List<String> troubles(long now) {
    String sinceWhen = checkpoints.notDurable(point.reading());
    String notDurable = sinceWhen.isEmpty() ? "" : "is not durable " + sinceWhen;
    return Stream.of(notDurable, waitsFor(now), memoryQuota.trouble())
        .filter(each -> !each.isEmpty())
        .map(each -> run() + " " + each)
        .toList();
  }

  /** Returns the number of the run's messages that are not acknowledged to the broker. */
  int pendingAcks() {
    return ledger.pendingAcks();
  }

  /** Returns the memory that the run's maps take, about, bytes. */
  long mapBytes() {
    return memoryQuota.bytes();
  }

  /**
   * Returns true if the run's readings are refused for its memory, now or as soon as that is
   * stored.
   */
  boolean isRefused() {
    return memoryQuota.isExceeded();
  }

  /** Returns the time since all of the run's readings were in a checkpoint, seconds. */
  double ageSeconds() {
    return checkpoints.meters().ageSeconds();
  }

  /**
   * Returns true if further readings would be processed, or the end answered with a path and a map.
   */
  boolean canGoOn() {
    return state.isBeforeFilter() || state.isInFilter();
  }

  /** Returns the time since the robot's last message, nanoseconds. */
  long silentNanos(long now) {
    return idleTimer.nanos(now);
  }
}
