package org.cartostream.topology.dispatch;

import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.Receipts;
import org.cartostream.topology.memory.MemoryQuota;
import org.cartostream.topology.run.RobotSilence;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.task.Component;

/**
 * The dispatcher's state of one run: has its readings let into the filter, and brings the run back
 * after any failure. Then all components restore the run's latest checkpoint, under a new epoch,
 * and what came after it is let in again, with the same answers.
 *
 * <p>A run is {@link State#RESTORING} until all components have their state, {@link State#RUNNING},
 * and {@link State#ENDED} when all readings are answered; or {@link State#FAILED} when it cannot go
 * on. What is given up because it fails again is first brought as far as it was answered.
 *
 * <p>Owns the {@link RunRecovery}, the epoch's {@link Admission}, the {@link ReplayBuffer}, the
 * {@link MemoryQuota} and the {@link CheckpointCoordinator}.
 */
final class RunDispatcher {

  private enum State {
    RESTORING,
    RUNNING,
    ENDED,
    FAILED
  }

  private final TopologySettings settings;
  private final DispatcherOutputs outputs;
  private final CheckpointCoordinator checkpoint;
  private final ReplayBuffer replayBuffer;
  private final RunRecovery recovery;
  private final GapRequests gapRequests = new GapRequests();
  private final RestoreAttempts attempts;
  private final MemoryQuota memoryQuota;
  private final RobotSilence silence;
  private State state = State.RESTORING;

  /** Null until the run is running. */
  private Admission admission;

  /** True if the robot may have had answers of an earlier dispatcher. */
  private boolean mayRepeat;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  /**
   * @param epochs gives the next epoch, greater than one that another service may have begun; 0 for
   *     none
   * @param hasPredecessor true if the run may have begun with another dispatcher
   */
  RunDispatcher(
      Run run,
      ServiceSettings service,
      DispatcherOutputs outputs,
      CheckpointCoordinator checkpoint,
      ReplayBuffer replayBuffer,
      LongUnaryOperator epochs,
      boolean hasPredecessor) {
    this.settings = service.topology();
    this.outputs = outputs;
    this.checkpoint = checkpoint;
    this.replayBuffer = replayBuffer;
    this.recovery = new RunRecovery(run, checkpoint, replayBuffer, epochs);
    this.attempts = recovery.attempts();
    this.memoryQuota = new MemoryQuota(run.robot(), service);
    this.silence = new RobotSilence(settings);
    this.mayRepeat = hasPredecessor;
  }

  Run run() {
    return recovery.run();
  }

  // --- beginning, and going on after a failure ---------------------------------------------------

  /**
   * Looks for the run's checkpoint, in case it has begun with another dispatcher.
   *
   * @param now by the dispatcher's PauseTolerantClock, as each {@code now} here
   */
  void open(long now) {
    silence.begin(now);
    recovery.open(now);
  }

  /** A component has its state, or the dispatcher has found the run's checkpoint. */
  void restored(Payload.Restored message, long now) {
    if (state == State.FAILED && recovery.restoredToEnd(message, broken, now)) {
      emitLost();
    } else if (state == State.RESTORING && !message.failure().isEmpty()) {
      fail(message.failure(), now);
    } else if (state == State.RESTORING) {
      recovery.restored(message, now);
      serveNext(now);
    }
  }

  private void goOn() {
    mayRepeat |= attempts.report().times() > 0;
    admission =
        new Admission(run(), checkpoint, replayBuffer, outputs, settings, memoryQuota, mayRepeat);
    state = State.RUNNING;
    admission.receiveHeld();
  }

  /** A component cannot go on. */
  void failed(Payload.Failed message, long now) {
    boolean isPublisher = message.component().equals(Component.nameOf(Component.Publisher.class));
    boolean matters =
        switch (state) {
          case RESTORING -> !message.lost() && !recovery.isOpening(); // Else it will be told.
          case RUNNING -> true;
          case ENDED -> isPublisher; // Nobody needs the others any more.
          case FAILED -> false;
        };
    if (matters) {
      restoring(recovery.failed(message, now), now);
    } else if (state == State.FAILED && isPublisher && message.lost()) {
      recovery.emitRestore(broken, now);
    } else if (state == State.RESTORING) {
      recovery.complained(message);
    }
  }

  /**
   * @param failure why the run cannot be restored; empty if it is restored, now or later
   */
  private void restoring(String failure, long now) {
    if (!failure.isEmpty()) {
      fail(failure, now);
    } else if (recovery.isRestoring()) {
      state = State.RESTORING;
    } else if (state == State.RESTORING) {
      serveNext(now); // What is refused may be noted by now.
    }
  }

  // --- readings ----------------------------------------------------------------------------------

  /** Takes a message of the robot; what came before does not reach the filter again. */
  void receive(Arrival arrival, long now) {
    silence.end(now);
    if (arrival instanceof Arrival.OfEnd end) {
      receive(end, now);
    } else if (arrival instanceof Arrival.OfReading reading) {
      receive(reading, now);
    } else if (arrival instanceof Arrival.OfGone gone) {
      receive(gone, now);
    }
  }

  private void receive(Arrival.OfReading reading, long now) {
    if (state == State.FAILED) {
      outputs.reportLost(run(), reading, broken);
      replayBuffer.acknowledge(reading.sequence());
      return;
    }
    // Another service may have had the run's beginning.
    mayRepeat |= admission == null && replayBuffer.size() == 0 && reading.sequence() > 1;
    boolean isNew = replayBuffer.add(reading);
    recovery.learn(reading, now);
    restoring("", now);
    if (state == State.RUNNING || state == State.ENDED) {
      admission.receive(reading, isNew);
    }
    serveNext(now);
  }

  private void receive(Arrival.OfEnd end, long now) {
    replayBuffer.end(end);
    if (state == State.FAILED || state == State.ENDED) {
      emitEnded(end);
      acknowledgeEndIfDurable();
      return;
    }
    if (state == State.RUNNING) {
      admission.receive(end);
      serveNext(now);
    }
  }

  private void receive(Arrival.OfGone gone, long now) {
    replayBuffer.acknowledge(Receipts.GONE);
    long next = state == State.RUNNING ? admission.settled() + 1 : 0;
    if (gone.sequence() <= next && next <= gone.last()) {
      fail(GapRequests.lost(next, gone.last()), now);
    }
  }

  private void serveNext(long now) {
    if (state == State.RESTORING && recovery.mayGoOn(now)) {
      goOn();
    }
    if (state != State.RUNNING) {
      return;
    }
    admission.serveNext(recovery.last(), attempts.report(), now);
    attempts.served(admission.latestServed(), now);
    if (admission.isIdle() && admission.settled() >= recovery.last()) {
      fail(recovery.hopeless(), now);
    } else if (!checkpoint.isPending()) {
      admission.end().ifPresent(end -> finish(end, now));
    }
  }

  /** The service is short of memory, and this run takes most of it. */
  void refuse(Refusal.Reason why, long now) {
    if (state == State.RUNNING) {
      admission.refuseRest(why);
      serveNext(now);
    }
  }

  /** What its maps take. */
  MemoryQuota memoryQuota() {
    return memoryQuota;
  }

  /** A task is done with its part of a reading that is being processed. */
  void done(Payload.Done by, long now) {
    if (state == State.RUNNING) {
      admission.done(by, now);
      serveNext(now);
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
    state = State.ENDED;
    checkpoint.close();
    memoryQuota.close();
    emitEnded(end);
    outputs.release(run(), false);
    acknowledgeEndIfDurable();
  }

  private void emitEnded(Arrival.OfEnd end) {
    RecoveryReport report = attempts.report().notDurable(checkpoint.notDurable());
    outputs.ended.emit(
        new Payload.Ended(run(), end.sequence(), end.stampNanos(), end.heldMap(), report, broken));
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /** How many messages of the run the broker keeps. */
  int receipts() {
    return replayBuffer.receipts();
  }

  /** Begins one, unless one is being stored or nothing has come since the latest. */
  void checkpoint(long now) {
    if (state == State.RUNNING) {
      admission.beginCheckpoint(attempts.report(), now);
    }
  }

  /**
   * Makes room for deliveries, which end when too much is unacknowledged: acknowledges the readings
   * if no checkpoint can be stored, or all are in one; then begins a checkpoint.
   */
  void makeRoom(long now) {
    boolean isStored = admission != null && admission.settled() == checkpoint.reading();
    if (!checkpoint.isPending() && (checkpoint.fails() || isStored)) {
      replayBuffer.acknowledge(Receipts.END);
    }
    checkpoint(now); // Not before: one that is begun anew each time, and fails, would hold them.
  }

  /** A part is stored, or cannot be; or the checkpoint is stored as a whole. */
  void stored(Payload.Stored message, long now) {
    goOnAfter(checkpoint.stored(message, now), now);
  }

  private void goOnAfter(CheckpointCoordinator.Progress progress, long now) {
    if (progress == CheckpointCoordinator.Progress.DURABLE) {
      memoryQuota.stored();
      recovery.forgetDurable();
      acknowledgeEndIfDurable();
    }
    if (progress != CheckpointCoordinator.Progress.NONE) {
      serveNext(now);
    }
  }

  /** Not sooner, unless room is needed: a dispatcher that takes this one's place needs all. */
  private void acknowledgeEndIfDurable() {
    if (state == State.FAILED
        || !replayBuffer.isWhole()
        || state == State.ENDED && checkpoint.reading() == admission.settled()) {
      replayBuffer.acknowledge(Receipts.END);
    }
  }

  /** A tick: looks at the time. */
  void watch(long now) {
    if (attempts.isWaiting() && state != State.FAILED) {
      restoring(recovery.restoreIfDue(now), now);
      return;
    }
    switch (state) {
      case RESTORING -> restoring(recovery.watch(settings.readingTimeoutSeconds(), now), now);
      case RUNNING -> watchRunning(now);
      case ENDED, FAILED -> outputs.keepAliveIfDue(run(), silence, now);
    }
  }

  private void watchRunning(long now) {
    long patience = attempts.patienceNanos(settings.patienceNanos());
    InFlightReading late = admission.late(patience, now).orElse(null);
    if (late != null) {
      long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(patience));
      String why = "reading " + late.sequence() + " was not processed within " + seconds + " s";
      restoring(recovery.restore(why, now), now);
      return;
    }
    if (admission.isIdle() && silence.nanos(now) > settings.patienceNanos()) {
      attempts.rested();
    }
    goOnAfter(checkpoint.watch(run(), now), now);
    admission.askForMissing(gapRequests, now);
    if (!admission.isIdle() || checkpoint.isPending()) {
      silence.hurry();
    }
    outputs.keepAliveIfDue(run(), silence, now);
    if (checkpoint.isDue(now)) {
      checkpoint(now);
    }
  }

  // --- the end -----------------------------------------------------------------------------------

  /** The run cannot go on. What is open or still comes is lost; whoever computes lets go. */
  private void fail(String why, long now) {
    recovery.giveUp(why);
    boolean publisherKnows = state == State.RUNNING || state == State.ENDED;
    broken = why;
    checkpoint.beginEpoch(now);
    checkpoint.giveUp();
    state = State.FAILED;
    if (publisherKnows) {
      emitLost();
    } else {
      recovery.restoreToEnd(broken, now);
    }
  }

  /** All that was not answered is lost; of what was, the first answer counts. */
  private void emitLost() {
    replayBuffer
        .after(attempts.furthest())
        .forEach(each -> outputs.reportLost(run(), each, broken));
    replayBuffer.acknowledge(Receipts.END);
    outputs.release(run(), false);
    if (replayBuffer.end() != null) {
      emitEnded(replayBuffer.end());
    }
  }

  /** What holds the run up, for people; empty if nothing does. */
  String trouble(long now) {
    return state == State.RESTORING ? recovery.trouble(now) : "";
  }

  /** True if another reading would be processed, or the end answered with a path and a map. */
  boolean canGoOn() {
    return state == State.RESTORING || state == State.RUNNING;
  }

  /** Nanoseconds since the robot's last message. */
  long silentNanos(long now) {
    return silence.nanos(now);
  }

  /** Has everyone release the run. */
  void forget() {
    replayBuffer.close();
    outputs.release(run(), true);
    checkpoint.close();
    memoryQuota.close();
  }
}
