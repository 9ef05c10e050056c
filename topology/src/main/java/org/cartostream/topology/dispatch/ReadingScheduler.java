package org.cartostream.topology.dispatch;

import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Placement;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.memory.MemoryQuota;
import org.cartostream.topology.run.Run;
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
final class ReadingScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(ReadingScheduler.class);

  /**
   * Readings in the filter at a time: one that the tasks work on, and one for those that are done
   * or wait. More would have to wait at the tasks.
   */
  static final int MOST_SERVING = 2;

  private final Run run;
  private final ReplayBuffer replayBuffer;
  private final DispatcherOutputs outputs;
  private final MemoryQuota memoryQuota;
  private final ReadingFilter readingFilter;
  private final ReorderBuffer reorderBuffer;
  private final InFlightReadings inFlightReadings;

  /** Placements that came with readings which were refused before their turn, by their numbers. */
  private final NavigableMap<Long, Placement> placements;

  /** Null if the robot makes its map. */
  private final PackedMap knownMap;

  private final int matchers;
  private boolean lagIsSaid;

  /** True if matchers have let go of the run: their parts stay as in the latest checkpoint. */
  private boolean isReleased;

  /**
   * @param point from which the epoch goes on
   * @param mayRepeat true if the robot may have had answers to readings that come now
   */
  ReadingScheduler(
      Run run,
      DispatcherContext context,
      RestorePoint point,
      ReplayBuffer replayBuffer,
      MemoryQuota memoryQuota,
      boolean mayRepeat) {
    SavedReadings saved = point.saved(context.settings().filter());
    this.memoryQuota = memoryQuota;
    this.knownMap = saved.knownMap();
    memoryQuota.begin(saved.memory(), knownMap == null);
    this.run = run;
    this.matchers = context.matchers();
    this.replayBuffer = replayBuffer;
    this.outputs = context.outputs();
    this.readingFilter = saved.readingFilter();
    this.lagIsSaid = saved.lagIsSaid();
    this.placements = saved.placements();
    this.reorderBuffer =
        new ReorderBuffer(
            context.settings().topology(), point.reading(), saved.refused(), mayRepeat);
    this.inFlightReadings = new InFlightReadings(outputs, memoryQuota);
  }

  /**
   * The dispatcher's part of a checkpoint after the reading that was {@link #settled} last.
   *
   * @param recovery what the run's restores cost so far
   */
  SavedReadings save(RecoveryReport recovery) {
    placeUpTo(settled());
    return new SavedReadings(
        readingFilter,
        reorderBuffer.refused(),
        lagIsSaid,
        recovery,
        memoryQuota.save(),
        new TreeMap<>(placements),
        knownMap);
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
   * The reading whose turn it is; null if there is none, or as many as may be are in the filter.
   */
  Arrival.OfReading next() {
    return inFlightReadings.size() < MOST_SERVING && reorderBuffer.hasNext()
        ? reorderBuffer.first()
        : null;
  }

  /**
   * Lets the {@link #next} one in, or refuses it.
   *
   * @param isNoted true if the publisher is to say that it has answered it
   * @param durable the last reading in the latest checkpoint
   * @return false if it must wait
   */
  boolean serveNext(boolean isNoted, long durable, long now) {
    switch (judge(reorderBuffer.first())) {
      case ADMITTED -> serve(reorderBuffer.next(), isNoted, durable, now);
      case REFUSED -> outputs.refuse(run, reorderBuffer.next(), memoryQuota.why());
      case WAITS -> {
        return false;
      }
    }
    return true;
  }

  /** Refuses all readings that have not had their turn. */
  void refuseRest(Refusal.Reason why) {
    memoryQuota.exceed(settled() + 1, why);
  }

  /** Has matchers let go of a refused run, whose latest checkpoint has all they know. */
  void releaseParticles() {
    if (!isReleased) {
      isReleased = true;
      outputs.releaseParticles(run);
    }
    memoryQuota.released();
  }

  /** True if matchers have let go of the run. */
  boolean isReleased() {
    return isReleased;
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

  private void serve(Arrival.OfReading arrival, boolean isNoted, long durable, long now) {
    inFlightReadings.add(
        new InFlightReading(arrival.sequence(), arrival.stampNanos(), matchers, isNoted), now);
    keepPlacement(arrival);
    placeUpTo(arrival.sequence()); // If this one is refused, at the next.
    ReadingFilter.Decision decision = decide(arrival);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      inFlightReadings.dropLast();
      outputs.refuse(run, arrival, refuse.why());
    } else if (decision instanceof ReadingFilter.Decision.Accept accept) {
      admit(accept.step(), arrival, durable, now);
    }
  }

  private void keepPlacement(Arrival.OfReading reading) {
    if (knownMap != null && reading.placement() != null) {
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

  private void admit(Step step, Arrival.OfReading arrival, long durable, long now) {
    if (step.lagSeconds() != 0 && !lagIsSaid) {
      lagIsSaid = true;
      LOG.warn(
          "{}: the scans' stamps lag odometry by {} s; ros.laserLagSeconds of the gateway takes"
              + " that off",
          run,
          String.format(Locale.ROOT, "%.2f", step.lagSeconds()));
    }
    boolean isNoted = inFlightReadings.last().isNoted();
    outputs.admitted.emit(new Payload.Admitted(run, step, arrival.heldMap(), durable, isNoted));
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
