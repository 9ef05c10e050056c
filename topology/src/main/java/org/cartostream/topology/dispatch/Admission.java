package org.cartostream.topology.dispatch;

import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.failure.FatalReadingSearch;
import org.cartostream.topology.memory.MemoryQuota;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.FailedReadingException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Payload.Arrival;
import org.cartostream.topology.stream.TopologyRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the readings of one run's epoch into its filter: each once, in the order of their numbers,
 * and each while the one before is still being processed, so that a task that is done with it need
 * not wait for the others.
 *
 * <p>Owns the {@link ReadingFilter}, the {@link ReorderBuffer} of what waits, and what is {@link
 * InFlightReadings}.
 */
final class Admission {

  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  /**
   * Readings in the filter at a time: one that the tasks work on, and one for those that are done
   * or wait. More would have to wait at the tasks.
   */
  static final int MOST_SERVING = 2;

  private final Run run;
  private final CheckpointCoordinator checkpoint;
  private final ReplayBuffer replayBuffer;
  private final DispatcherOutputs outputs;
  private final MemoryQuota memoryQuota;
  private final ReadingFilter readingFilter;
  private final ReorderBuffer reorderBuffer;
  private final InFlightReadings inFlightReadings;

  /** Placements that came with readings which were refused before their turn, by their numbers. */
  private final NavigableMap<Long, Placement> placements;

  private boolean lagIsSaid;

  /**
   * @param checkpoint after which the epoch goes on
   * @param mayRepeat true if the robot may have had answers to readings that come now
   */
  Admission(
      Run run,
      CheckpointCoordinator checkpoint,
      ReplayBuffer replayBuffer,
      DispatcherOutputs outputs,
      TopologySettings settings,
      MemoryQuota memoryQuota,
      boolean mayRepeat) {
    SavedReadings saved = checkpoint.saved();
    this.memoryQuota = memoryQuota;
    memoryQuota.begin(saved.memory(), checkpoint.knownMap() == null);
    this.run = run;
    this.checkpoint = checkpoint;
    this.replayBuffer = replayBuffer;
    this.outputs = outputs;
    this.readingFilter = saved.readingFilter();
    this.lagIsSaid = saved.lagIsSaid();
    this.placements = saved.placements();
    this.reorderBuffer =
        new ReorderBuffer(settings, checkpoint.reading(), saved.refused(), mayRepeat);
    this.inFlightReadings = new InFlightReadings(outputs, memoryQuota);
  }

  /**
   * Begins a checkpoint after the reading that was {@link #settled} last, unless one is being
   * stored or nothing has come since the latest.
   *
   * @param recovery what the run's restores cost so far
   */
  void beginCheckpoint(RecoveryReport recovery, long now) {
    if (!checkpoint.isPending()) {
      placeUpTo(settled());
      boolean isAnew = memoryQuota.isToBeStored();
      SavedReadings saved =
          new SavedReadings(
              readingFilter,
              reorderBuffer.refused(),
              lagIsSaid,
              recovery,
              memoryQuota.save(),
              new TreeMap<>(placements),
              checkpoint.knownMap());
      checkpoint.begin(run, settled(), saved, isAnew, now);
    }
  }

  // --- what comes --------------------------------------------------------------------------------

  /**
   * Receives the readings held since the checkpoint again; those that were refused are refused
   * again.
   */
  void receiveHeld() {
    replayBuffer.after(0).forEach(this::receive);
    if (replayBuffer.end() != null) {
      receive(replayBuffer.end());
    }
  }

  /**
   * A reading has come.
   *
   * @param isNew false if it is held already: its answer is sent again if it has one
   */
  void receive(Arrival.OfReading reading, boolean isNew) {
    if (isNew) {
      receive(reading);
      return;
    }
    long sequence = reading.sequence();
    boolean hadItsTurn = sequence <= settled() && !inFlightReadings.has(sequence);
    if (hadItsTurn || replayBuffer.refusal(sequence) != null) {
      repeated(reading);
    }
  }

  private void receive(Arrival.OfReading reading) {
    Refusal.Reason refusal = replayBuffer.refusal(reading.sequence());
    if (refusal != null) {
      reorderBuffer.skip(reading.sequence());
      keepPlacement(reading);
      outputs.refuse(run, reading, refusal);
      return;
    }
    switch (reorderBuffer.receive(reading, inFlightReadings.size())) {
      case WAITS -> {}
      case REPEATED -> repeated(reading);
      case AFTER_THE_END -> {
        replayBuffer.drop(reading.sequence());
        outputs.refuse(
            run, reading, TopologyRefusal.AFTER_THE_END.because("number " + reading.sequence()));
      }
      case TOO_MANY -> {
        Refusal.Reason why =
            TopologyRefusal.TOO_MANY_WAITING.because(
                reorderBuffer.size() + " wait before number " + reading.sequence());
        replayBuffer.refuse(reading.sequence(), why);
        keepPlacement(reading);
        outputs.refuse(run, reading, why);
      }
      case DROPPED -> {
        replayBuffer.drop(reading.sequence());
        ArrivalReceiver.countDropped(TopologyRefusal.TOO_MANY_WAITING.name());
      }
    }
  }

  private void repeated(Arrival.OfReading reading) {
    outputs.repeated.emit(
        new Payload.ReadingRepeated(run, reading.sequence(), reading.stampNanos()));
  }

  void receive(Arrival.OfEnd end) {
    reorderBuffer.receive(end);
  }

  /** Asks for numbers that have not come, though later ones have, when it is time for that. */
  void askForMissing(GapRequests gapRequests, long now) {
    gapRequests
        .due(isIdle() ? reorderBuffer.gap() : Optional.empty(), now)
        .ifPresent(
            gap -> {
              reorderBuffer.asked(gap); // They will be taken, however many others wait.
              outputs.missing.emit(new Payload.ReadingsMissing(run, gap.first(), gap.last()));
            });
  }

  // --- what goes into the filter -----------------------------------------------------------------

  /**
   * Lets in those whose turn it is.
   *
   * @param last no reading after this number
   * @param recovery what the run's restores cost so far
   */
  void serveNext(long last, RecoveryReport recovery, long now) {
    serveNext(last, now);
    if (memoryQuota.isToBeStored()) {
      if (!checkpoint.isPending()) {
        storeRefusal(recovery, now);
      }
      serveNext(last, now); // A noted reading that waits for the refusal gives its turn back.
    }
    if (checkpoint.exists()
        && memoryQuota.isSettled(checkpoint.reading())
        && !checkpoint.isPending()) {
      checkpoint.releaseParticles(run);
      memoryQuota.released();
    }
    if (checkpoint.turn().isTaken() && !checkpoint.isPending()) {
      beginCheckpoint(recovery, now);
    }
  }

  /** What tasks counted is not counted again: the refusal is durable before the robot hears it. */
  private void storeRefusal(RecoveryReport recovery, long now) {
    if (!checkpoint.fails()) {
      beginCheckpoint(recovery, now);
    }
    if (!checkpoint.isPending()) {
      memoryQuota.act();
    }
  }

  /** Refuses all readings that have not had their turn. */
  void refuseRest(Refusal.Reason why) {
    memoryQuota.exceed(settled() + 1, why);
  }

  private void serveNext(long last, long now) {
    while (mayServeNext(last, now)) {
      Arrival.OfReading first = reorderBuffer.first();
      switch (judge(first)) {
        case ADMITTED -> serve(reorderBuffer.next(), now);
        case REFUSED -> outputs.refuse(run, reorderBuffer.next(), memoryQuota.why());
        case WAITS -> {
          return;
        }
      }
    }
  }

  private boolean mayServeNext(long last, long now) {
    FatalReadingSearch fatalReadings = checkpoint.fatalReadings();
    if (isIdle()) {
      fatalReadings.done(now);
    }
    return inFlightReadings.size() < MOST_SERVING
        && reorderBuffer.hasNext()
        && settled() < last
        && fatalReadings.mayAdmit(run, reorderBuffer.first().sequence(), now);
  }

  /** What had it come here need not be a message about this reading; so in {@link #decide}. */
  private MemoryQuota.Disposition judge(Arrival.OfReading arrival) {
    try {
      boolean isMalformed = readingFilter.isMalformed(arrival.reading().scan());
      return memoryQuota.judge(arrival.sequence(), arrival.reading(), isMalformed);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw new FailedReadingException(arrival.sequence(), e);
    }
  }

  private void serve(Arrival.OfReading arrival, long now) {
    inFlightReadings.add(
        new InFlightReading(
            arrival.sequence(),
            arrival.stampNanos(),
            checkpoint.matchers(),
            checkpoint.fatalReadings().isNoted()),
        now);
    keepPlacement(arrival);
    placeUpTo(arrival.sequence()); // If this one is refused, at the next.
    ReadingFilter.Decision decision = decide(arrival);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      inFlightReadings.dropLast();
      outputs.refuse(run, arrival, refuse.why());
    } else if (decision instanceof ReadingFilter.Decision.Accept accept) {
      admit(accept.step(), arrival, now);
    }
  }

  private void keepPlacement(Arrival.OfReading reading) {
    if (checkpoint.knownMap() != null && reading.placement() != null) {
      placements.put(reading.sequence(), reading.placement());
    }
  }

  /**
   * Applies the placements of readings up to this one; they count at the next reading that is used.
   */
  private void placeUpTo(long sequence) {
    NavigableMap<Long, Placement> said = placements.headMap(sequence, true);
    said.values().forEach(readingFilter::place);
    said.clear();
  }

  private ReadingFilter.Decision decide(Arrival.OfReading arrival) {
    try {
      return readingFilter.decide(arrival.sequence(), arrival.reading());
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw new FailedReadingException(arrival.sequence(), e);
    }
  }

  private void admit(Step step, Arrival.OfReading arrival, long now) {
    if (step.lagSeconds() != 0 && !lagIsSaid) {
      lagIsSaid = true;
      LOG.warn(
          "{}: the scans' stamps lag odometry by {} s; ros.laserLagSeconds of the gateway takes"
              + " that off",
          run,
          String.format(Locale.ROOT, "%.2f", step.lagSeconds()));
    }
    boolean isNoted = inFlightReadings.last().isNoted();
    outputs.admitted.emit(
        new Payload.Admitted(run, step, arrival.heldMap(), checkpoint.reading(), isNoted));
    if (step.keyFrame()) {
      inFlightReadings.last().isKeyFrame();
      boolean isCounted =
          memoryQuota.admit(step.sequence(), arrival.reading().odometry(), step.scan());
      outputs.keyFrames.emit(new Payload.KeyFrame(run, step, isCounted));
    }
    inFlightReadings.emitServed(run, now);
  }

  /** A task is done with its part of a reading that is being processed, or ready for one. */
  void done(Payload.Done by, long now) {
    if (by instanceof Payload.Answered answered && answered.isToCome()) {
      checkpoint.fatalReadings().mapsAreHeld(answered.sequence());
      return;
    }
    inFlightReadings.done(by);
    inFlightReadings.emitServed(run, now);
  }

  // --- how far it is -----------------------------------------------------------------------------

  /** The number of the latest reading that had its turn, or was refused before it. */
  long settled() {
    return reorderBuffer.settled();
  }

  /** The number of the latest that was served; 0 if none was. */
  long latestServed() {
    return inFlightReadings.latestServed();
  }

  /** True if nothing is being processed. */
  boolean isIdle() {
    return inFlightReadings.isEmpty();
  }

  /** The robot's message that nothing follows, if all before it are dealt with. */
  Optional<Arrival.OfEnd> end() {
    return isIdle() ? reorderBuffer.end() : Optional.empty();
  }

  /** The one that has been processed for longer than this; empty if none has. */
  Optional<InFlightReading> late(long patienceNanos, long now) {
    return !isIdle() && now - inFlightReadings.firstSince() > patienceNanos
        ? Optional.of(inFlightReadings.first())
        : Optional.empty();
  }
}
