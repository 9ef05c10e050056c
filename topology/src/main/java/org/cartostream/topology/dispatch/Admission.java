package org.cartostream.topology.dispatch;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.TopologyRefusal;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the readings of one run into its filter: each once, in the order of their numbers, and each
 * while the one before is still being processed, so that a task that is done with it need not wait
 * for the others. And brings the run back after any failure: it has all components restore the
 * run's latest checkpoint, under a new epoch, and lets in again what came after it. The filter is
 * deterministic, so the answers are the same as before.
 *
 * <p>A run is {@link State#OPENING} while its checkpoint is looked for, {@link State#RESTORING}
 * until all components have their state, {@link State#RUNNING}, and {@link State#ENDED} when all
 * readings are answered; or {@link State#FAILED} when it cannot go on.
 *
 * <p>Owns the {@link ReadingFilter}, the {@link ReorderBuffer} of what waits, what is {@link
 * InFlightReadings}, the {@link ReplayBuffer}, and the {@link CheckpointCoordinator}.
 */
final class Admission {

  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  /**
   * Readings in the filter at a time: one that the tasks work on, and one for those that are done
   * or wait. More would have to wait at the tasks.
   */
  static final int MOST_SERVING = 2;

  /** So often a run is restored at most without coming further than before. */
  private static final int MOST_ATTEMPTS = 6;

  /** A component may fail so often where the run has come no further: what failed fails again. */
  private static final int MOST_EXCEPTIONS = 2;

  /** For so many times the time for a reading, components that do not come back are waited for. */
  private static final int RESTORE_TIMEOUTS = 10;

  /**
   * So often a keep-alive of an idle run is sent in the time after which a silent robot is
   * forgotten.
   */
  private static final int WORDS_A_TIMEOUT = 4;

  private enum State {
    OPENING,
    RESTORING,
    RUNNING,
    ENDED,
    FAILED
  }

  private final ServiceSettings service;
  private final TopologySettings settings;
  private final DispatcherOutputs outputs;
  private final CheckpointCoordinator checkpoint;
  private final Receipts receipts;
  private final LongUnaryOperator orders;
  private final int matchers;
  private final boolean hasPredecessor;

  private Run run;
  private State state = State.OPENING;
  private ReadingFilter readingFilter;
  private ReorderBuffer reorderBuffer;
  private InFlightReadings inFlightReadings;
  private final ReplayBuffer replayBuffer = new ReplayBuffer();
  private boolean lagIsSaid;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  /** Names of the parts that are restored. */
  private final Set<String> restored = new TreeSet<>();

  /** Why the run is to be restored, and when; empty if it is not. */
  private String restoreWhy = "";

  private long restoreAt;

  private int restores;
  private int attempts;
  private int exceptions;
  private long furthest;

  // Moments by the dispatcher's PauseTolerantClock, as is each `now` here.
  private long latestMessageAt;
  private long stateSince;
  private long aliveAt;

  /**
   * @param orders gives the next epoch, greater than one that another service may have begun; 0 for
   *     none
   * @param hasPredecessor true if the run may have begun with another dispatcher
   */
  Admission(
      Run run,
      ServiceSettings service,
      int matchers,
      DispatcherOutputs outputs,
      TaskCheckpoints checkpoints,
      Receipts receipts,
      LongUnaryOperator orders,
      boolean hasPredecessor) {
    this.run = run;
    this.service = service;
    this.settings = service.topology();
    this.matchers = matchers;
    this.outputs = outputs;
    this.checkpoint = new CheckpointCoordinator(run, service, matchers, checkpoints, outputs);
    this.receipts = receipts;
    this.orders = orders;
    this.hasPredecessor = hasPredecessor;
    this.reorderBuffer = new ReorderBuffer(settings, 0, new long[0], false);
    this.inFlightReadings = new InFlightReadings(outputs);
  }

  Run run() {
    return run;
  }

  // --- beginning, and going on after a failure ---------------------------------------------------

  /**
   * Looks for the run's checkpoint, in case it has begun with another dispatcher.
   *
   * @param now of the first message
   */
  void open(long now) {
    latestMessageAt = now;
    aliveAt = now;
    enter(State.OPENING, now);
    checkpoint.lookFor(run);
  }

  private void found(Payload.Restored message, long now) {
    checkpoint.found(message);
    replayBuffer.forgetTo(checkpoint.reading());
    receipts.acknowledge(run, checkpoint.reading());
    if (checkpoint.exists()) {
      restores++;
      LOG.info("{} goes on from its checkpoint at reading {}", run, checkpoint.reading());
    }
    begin(checkpoint.epoch(), now);
  }

  /** Restores the run from its latest checkpoint, for the reason given. */
  private void restore(String why, long now) {
    attempts++;
    restores++;
    LOG.warn(
        "{}: restored from reading {} on, and {} readings repeated: {}",
        run,
        checkpoint.reading(),
        replayBuffer.size(),
        why);
    if (!replayBuffer.isWhole()) {
      fail(
          why
              + "; and the run cannot be restored, for it is not durable since reading "
              + checkpoint.reading(),
          now);
    } else if (attempts > MOST_ATTEMPTS) {
      fail(why + "; the run was restored " + MOST_ATTEMPTS + " times and came no further", now);
    } else {
      begin(0, now);
    }
  }

  /** All that happens in an epoch begins here. */
  private void begin(long foundEpoch, long now) {
    run = run.begun(orders.applyAsLong(foundEpoch));
    checkpoint.beginEpoch(now);
    inFlightReadings = new InFlightReadings(outputs);
    restoreWhy = "";
    restored.clear();
    enter(State.RESTORING, now);
    emitRestore();
  }

  private void emitRestore() {
    checkpoint.emitRestore(run, restores, broken);
  }

  private void enter(State next, long now) {
    state = next;
    stateSince = now;
  }

  /** A component has its state, or the dispatcher has found the run's checkpoint. */
  void restored(Payload.Restored message, long now) {
    if (state == State.OPENING && message.part().equals(CheckpointCoordinator.PART)) {
      if (message.failure().isEmpty()) {
        found(message, now);
      } else {
        fail(message.failure(), now);
      }
    } else if (state == State.RESTORING && !message.failure().isEmpty()) {
      fail(message.failure(), now);
    } else if (state == State.RESTORING) {
      restored.add(message.part());
      if (restored.equals(checkpoint.partNames())) {
        goOn(now);
      }
    } else if (state == State.FAILED) {
      emitLost(); // The publisher was started anew.
    }
  }

  private void goOn(long now) {
    CheckpointCoordinator.Saved saved = checkpoint.saved();
    readingFilter = saved.readingFilter();
    lagIsSaid = saved.lagIsSaid();
    boolean mayRepeat = hasPredecessor || checkpoint.exists() || attempts > 0;
    reorderBuffer = new ReorderBuffer(settings, checkpoint.reading(), saved.refused(), mayRepeat);
    enter(State.RUNNING, now);
    replayBuffer.all().forEach(this::arrangeAgain);
    if (replayBuffer.end() != null) {
      reorderBuffer.receive(replayBuffer.end());
    }
    failAtLeap(now);
    serveNext(now);
  }

  /** A component cannot go on. */
  void failed(Payload.Failed message, long now) {
    boolean isPublisher = message.component().equals(Component.nameOf(Component.Publisher.class));
    if (state == State.FAILED) {
      if (isPublisher && message.lost()) {
        emitRestore();
      }
      return;
    }
    if (state == State.OPENING || state == State.RESTORING && message.lost()) {
      return; // It is told again what to restore.
    }
    if (state == State.ENDED && !isPublisher) {
      return; // Nobody needs it any more.
    }
    exceptions += message.lost() ? 0 : 1;
    if (exceptions >= MOST_EXCEPTIONS) {
      fail(message.sentence(), now);
    } else if (attempts == 0) {
      restore(message.sentence(), now);
    } else if (restoreWhy.isEmpty()) {
      // What fails again at once may be away for a while, as a broker is that is started again.
      restoreWhy = message.sentence();
      restoreAt = now + TimeUnit.SECONDS.toNanos(1L << attempts);
    }
  }

  // --- readings ----------------------------------------------------------------------------------

  /** Takes a message of the robot; what came before does not reach the filter again. */
  void receive(Arrival arrival, long now) {
    latestMessageAt = now;
    if (arrival instanceof Arrival.OfEnd end) {
      receiveEnd(end, now);
    } else {
      receive((Arrival.OfReading) arrival, now);
    }
  }

  private void receive(Arrival.OfReading reading, long now) {
    if (state == State.FAILED) {
      outputs.reportLost(run, reading.sequence(), reading.stampNanos(), broken);
      receipts.acknowledge(run, reading.sequence());
      return;
    }
    boolean isNew = replayBuffer.add(reading);
    if (reading.sequence() <= replayBuffer.durable()) {
      receipts.acknowledge(run, replayBuffer.durable());
    }
    if (state == State.RUNNING || state == State.ENDED) {
      if (isNew) {
        arrange(reading);
      } else if (isAnswered(reading.sequence())) {
        emitRepeated(reading);
      }
    }
    hold();
    failAtLeap(now);
    serveNext(now);
  }

  private boolean isAnswered(long sequence) {
    boolean hadItsTurn = sequence <= reorderBuffer.settled() && !inFlightReadings.has(sequence);
    return hadItsTurn || replayBuffer.refusal(sequence) != null;
  }

  /** What was refused is refused again: its robot was told so. */
  private void arrangeAgain(Arrival.OfReading reading) {
    String refusal = replayBuffer.refusal(reading.sequence());
    if (refusal == null) {
      arrange(reading);
    } else {
      reorderBuffer.skip(reading.sequence());
      outputs.refuse(run, reading, TopologyRefusal.TOO_MANY_WAITING.because(refusal));
    }
  }

  private void arrange(Arrival.OfReading reading) {
    switch (reorderBuffer.receive(reading, inFlightReadings.size())) {
      case WAITS -> {}
      case REPEATED -> emitRepeated(reading);
      case AFTER_THE_END -> {
        replayBuffer.drop(reading.sequence());
        outputs.refuse(
            run, reading, TopologyRefusal.AFTER_THE_END.because("number " + reading.sequence()));
      }
      case TOO_MANY -> {
        String sentence = reorderBuffer.size() + " wait before number " + reading.sequence();
        replayBuffer.refuse(reading.sequence(), sentence);
        outputs.refuse(run, reading, TopologyRefusal.TOO_MANY_WAITING.because(sentence));
      }
    }
  }

  private void emitRepeated(Arrival.OfReading reading) {
    outputs.repeated.emit(
        new Payload.ReadingRepeated(run, reading.sequence(), reading.stampNanos()));
  }

  private void receiveEnd(Arrival.OfEnd end, long now) {
    if (state == State.FAILED || state == State.ENDED) {
      emitEnded(end);
      acknowledgeEndIfDurable();
      return;
    }
    replayBuffer.end(end);
    if (state == State.RUNNING) {
      reorderBuffer.receive(end);
      failAtLeap(now);
      serveNext(now);
    }
  }

  private void failAtLeap(long now) {
    if (state == State.RUNNING && !reorderBuffer.leap().isEmpty()) {
      fail(reorderBuffer.leap(), now);
    }
  }

  private void serveNext(long now) {
    if (state != State.RUNNING) {
      return;
    }
    while (inFlightReadings.size() < MOST_SERVING && reorderBuffer.hasNext()) {
      serve(reorderBuffer.next(), now);
    }
    if (inFlightReadings.isEmpty() && !checkpoint.isPending()) {
      reorderBuffer.end().ifPresent(end -> finish(end, now));
    }
  }

  private void serve(Arrival.OfReading arrival, long now) {
    inFlightReadings.add(
        new InFlightReading(arrival.sequence(), arrival.stampNanos(), matchers), now);
    ReadingFilter.Decision decision = readingFilter.decide(arrival.sequence(), arrival.reading());
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      inFlightReadings.dropLast();
      outputs.refuse(run, arrival, refuse.why());
    } else if (decision instanceof ReadingFilter.Decision.Accept accept) {
      admit(accept.step(), arrival.heldMap(), now);
    }
  }

  private void admit(Step step, long heldMap, long now) {
    if (step.lagSeconds() != 0 && !lagIsSaid) {
      lagIsSaid = true;
      LOG.warn(
          "{}: the scans' stamps lag odometry by {} s; ros.laserLagSeconds of the gateway takes that off",
          run,
          String.format(Locale.ROOT, "%.2f", step.lagSeconds()));
    }
    outputs.admitted.emit(new Payload.Admitted(run, step, heldMap, checkpoint.reading()));
    if (step.keyFrame()) {
      inFlightReadings.lastIsKeyFrame();
      outputs.keyFrames.emit(new Payload.KeyFrame(run, step));
    }
    emitServed(now);
  }

  /** A task is done with its part of a reading that is being processed. */
  void ready(Payload.Ready by, long now) {
    inFlightReadings.ready(by);
    emitServed(now);
    serveNext(now);
  }

  private void emitServed(long now) {
    if (inFlightReadings.emitServed(run, now)) {
      long served = inFlightReadings.latestServed();
      if (served > furthest) {
        furthest = served;
        attempts = 0;
        exceptions = 0;
      }
    }
  }

  /** The result is sent when it is in a checkpoint, from which the run can go on another day. */
  private void finish(Arrival.OfEnd end, long now) {
    if (!checkpoint.fails()) {
      checkpoint(now);
    }
    if (checkpoint.isPending()) {
      return;
    }
    enter(State.ENDED, now);
    emitEnded(end);
    release(false);
    acknowledgeEndIfDurable();
  }

  private void emitEnded(Arrival.OfEnd end) {
    outputs.ended.emit(
        new Payload.Ended(run, end.sequence(), end.stampNanos(), end.heldMap(), broken));
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /** How many readings are in no checkpoint yet. */
  int heldReadings() {
    return replayBuffer.size();
  }

  /** Begins a checkpoint, unless one is being stored or nothing has come since the latest. */
  void checkpoint(long now) {
    if (state == State.RUNNING) {
      CheckpointCoordinator.Saved mine =
          new CheckpointCoordinator.Saved(readingFilter, reorderBuffer.refused(), lagIsSaid);
      checkpoint.begin(run, reorderBuffer.settled(), mine, now);
    }
  }

  /**
   * The broker delivers no more before something is acknowledged: what a checkpoint would cover is,
   * at once if there is none to be had. The readings are still held here.
   */
  void makeRoom(long now) {
    checkpoint(now);
    if (checkpoint.fails() && !checkpoint.isPending()) {
      receipts.acknowledge(run, reorderBuffer.settled());
    }
  }

  /** A part is stored, or cannot be; or the checkpoint is stored as a whole. */
  void stored(Payload.Stored message, long now) {
    goOnAfter(checkpoint.stored(message, now), now);
  }

  private void goOnAfter(CheckpointCoordinator.Progress progress, long now) {
    if (progress == CheckpointCoordinator.Progress.DURABLE) {
      replayBuffer.forgetTo(checkpoint.reading());
      receipts.acknowledge(run, checkpoint.reading());
      acknowledgeEndIfDurable();
    }
    if (progress != CheckpointCoordinator.Progress.NONE) {
      serveNext(now);
    }
  }

  /** The robot's last message is kept until the run's last checkpoint is stored. */
  private void acknowledgeEndIfDurable() {
    boolean isDurable = state == State.ENDED && checkpoint.reading() == reorderBuffer.settled();
    if (isDurable || state == State.FAILED || checkpoint.fails()) {
      receipts.acknowledge(run, Receipts.END);
    }
  }

  /** Readings without a checkpoint are held up to a bound. */
  private void hold() {
    while (replayBuffer.size() > service.checkpoint().heldReadings()) {
      if (replayBuffer.isWhole()) {
        LOG.warn("{} is not durable since reading {}", run, checkpoint.reading());
      }
      receipts.acknowledge(run, replayBuffer.eldest());
      replayBuffer.giveUpEldest();
    }
  }

  // --- time --------------------------------------------------------------------------------------

  /** A tick: looks at the time. */
  void watch(long now) {
    if (!restoreWhy.isEmpty() && state != State.FAILED) {
      if (now - restoreAt >= 0) {
        restore(restoreWhy, now);
      }
      return;
    }
    switch (state) {
      case OPENING -> {}
      case RESTORING -> watchRestoring(now);
      case RUNNING -> watchRunning(now);
      case ENDED, FAILED -> emitKeepAlive(now);
    }
  }

  private void watchRestoring(long now) {
    long timeoutSeconds = (long) RESTORE_TIMEOUTS * settings.readingTimeoutSeconds();
    if (now - stateSince > TimeUnit.SECONDS.toNanos(timeoutSeconds)) {
      Set<String> missing = new TreeSet<>(checkpoint.partNames());
      missing.removeAll(restored);
      fail("of its tasks " + missing + " did not come back within " + timeoutSeconds + " s", now);
    } else {
      emitRestore(); // Who was just started may not have received it.
    }
  }

  private void watchRunning(long now) {
    long patience = settings.patienceNanos() << attempts;
    if (!inFlightReadings.isEmpty() && now - inFlightReadings.firstSince() > patience) {
      restore(
          "reading "
              + inFlightReadings.first().sequence()
              + " was not processed within "
              + TimeUnit.NANOSECONDS.toSeconds(patience)
              + " s",
          now);
      return;
    }
    goOnAfter(checkpoint.watch(run, now), now);
    if (!inFlightReadings.isEmpty() || checkpoint.isPending()) {
      aliveAt = now;
      outputs.keepAlive.emit(new Payload.RunKeepAlive(run)); // Who does not know the run says so.
    }
    emitKeepAlive(now);
    if (checkpoint.isDue(now)) {
      checkpoint(now);
    }
  }

  /** The others receive nothing else of a robot that stands still, see {@link IdleRunDetector}. */
  private void emitKeepAlive(long now) {
    long pauseNanos = TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / WORDS_A_TIMEOUT;
    if (now - aliveAt > pauseNanos) {
      outputs.keepAlive.emit(new Payload.RunKeepAlive(run));
      aliveAt = now;
    }
  }

  // --- the end -----------------------------------------------------------------------------------

  /**
   * The run cannot go on. What is open, and what still comes, is lost; whoever computes lets go.
   *
   * @param why for people
   */
  private void fail(String why, long now) {
    LOG.warn("{} is given up: {}", run, why);
    boolean publisherKnows = state == State.RUNNING || state == State.ENDED;
    broken = why;
    checkpoint.beginEpoch(now);
    enter(State.FAILED, now);
    if (publisherKnows) {
      emitLost();
    } else {
      run = run.begun(orders.applyAsLong(0));
      emitRestore();
    }
  }

  /** All that was not answered is lost; of what was, the first answer counts. */
  private void emitLost() {
    for (Arrival.OfReading each : replayBuffer.all()) {
      if (each.sequence() > furthest) {
        outputs.reportLost(run, each.sequence(), each.stampNanos(), broken);
      }
    }
    receipts.acknowledge(run, Receipts.END);
    release(false);
    if (replayBuffer.end() != null) {
      emitEnded(replayBuffer.end());
    }
  }

  /** True if another reading would be processed, or the end answered with a path and a map. */
  boolean canGoOn() {
    return state != State.ENDED && state != State.FAILED;
  }

  /** Nanoseconds since the robot's last message. */
  long silentNanos(long now) {
    return now - latestMessageAt;
  }

  /** Has everyone release the run. */
  void forget() {
    receipts.acknowledge(run, Receipts.END);
    release(true);
  }

  private void release(boolean answered) {
    outputs.released.emit(new Payload.RunReleased(run, answered));
  }
}
