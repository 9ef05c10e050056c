package org.cartostream.topology.dispatch;

import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.FilterSettings;
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
 * Scheduler of one run's readings within an epoch: it admits each reading to the particle filter
 * once, in the order of numbers, or refuses it. A reading is admitted while the previous one is
 * still being processed, so that a task that is done need not wait for the others.
 *
 * <p>Owns the {@link ReadingFilter}, and initial poses from readings that were refused before their
 * turn. The {@link ReadingLedger} owns the readings' states.
 */
final class ReadingScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(ReadingScheduler.class);

  /**
   * Maximum number of readings in the filter at a time: the one that tasks work on, and the next
   * one for tasks that are done. More readings would only wait at the tasks.
   */
  static final int MAX_IN_FLIGHT = 2;

  private final Run run;
  private final ReadingLedger ledger;
  private final DispatcherOutputs outputs;
  private final MemoryQuota memoryQuota;
  private final ReadingFilter readingFilter;

  /**
   * Initial poses that came with readings which were refused before their turn, by the readings'
   * numbers.
   */
  private final NavigableMap<Long, InitialPose> initialPoses;

  private final FilterSettings filterSettings;

  /** Map in which the robot is localised; null if the robot makes its map. */
  private final PackedMap knownMap;

  private final int matchers;
  private boolean lagIsSaid;
  private long latestServed;
  private long servedAtNanoTime = Long.MIN_VALUE;

  /**
   * Time at which the first reading in the filter was admitted, or at which the previous one was
   * served, if later.
   */
  private long waitedSince;

  /**
   * True if the matchers have released the run's particles: their parts stay as in the latest
   * checkpoint.
   */
  private boolean isReleased;

  /**
   * @param point restore point from which the epoch goes on
   * @param mayBeAnswered true if readings that come now may have been answered in an earlier epoch
   */
  ReadingScheduler(
      Run run,
      DispatcherContext context,
      RestorePoint point,
      ReadingLedger ledger,
      MemoryQuota memoryQuota,
      boolean mayBeAnswered) {
    this.filterSettings = context.settings().filter();
    SavedReadings saved = point.saved(filterSettings);
    this.memoryQuota = memoryQuota;
    this.knownMap = saved.knownMap();
    memoryQuota.begin(saved.memory(), knownMap == null);
    this.run = run;
    this.matchers = context.matchers();
    this.ledger = ledger;
    this.outputs = context.outputs();
    this.readingFilter = saved.readingFilter();
    this.lagIsSaid = saved.lagIsSaid();
    this.initialPoses = saved.initialPoses();
    ledger.resume(saved.refused(), mayBeAnswered);
  }

  /**
   * Returns the dispatcher's part of a checkpoint after the reading that had its turn last.
   *
   * @param recovery report on the run's restores so far
   */
  SavedReadings save(RecoveryReport recovery) {
    placeUpTo(ledger.lastTurn());
    return new SavedReadings(
        readingFilter,
        ledger.refusedAhead(),
        lagIsSaid,
        recovery,
        memoryQuota.save(),
        new TreeMap<>(initialPoses),
        knownMap);
  }

  // --- arrivals ----------------------------------------------------------------------------------

  /** Judges the readings kept since the checkpoint again; refused ones are refused again. */
  void receiveKept() {
    ledger.after(0).forEach(each -> received(each, ledger.judge(each)));
  }

  /** Sends the reply to a reading that has come. */
  void received(Arrival.OfReading reading, ReadingLedger.Reply reply) {
    long sequence = reading.sequence();
    switch (reply) {
      case KEPT -> {}
      case REPEATED -> outputs.duplicate.emit(new Payload.DuplicateReading(run, sequence));
      case REFUSED -> {
        keepPlacement(reading);
        outputs.refuse(run, reading, ledger.refusal(sequence));
      }
      case AFTER_THE_END ->
          outputs.refuse(run, reading, TopologyRefusal.AFTER_THE_END.because("number " + sequence));
      case DROPPED -> ArrivalReceiver.countDropped(TopologyRefusal.TOO_MANY_WAITING.name());
    }
  }

  /** Requests readings that are missing although later ones have come, when that is due. */
  void askForMissing(long now) {
    ledger
        .gapToAskFor(now)
        .ifPresent(
            gap ->
                outputs.resendRequest.emit(
                    new Payload.ResendRequest(run, gap.first(), gap.last())));
  }

  // --- admission ---------------------------------------------------------------------------------

  /**
   * Returns the reading whose turn it is; null if it has not come, the filter has the maximum
   * number of readings, or matchers are too far behind.
   */
  Arrival.OfReading next() {
    boolean hasRoom = ledger.inFlight().size() < MAX_IN_FLIGHT && outputs.keyFrames.hasRoom();
    return hasRoom ? ledger.next() : null;
  }

  /**
   * Admits the {@link #next} reading, or refuses it.
   *
   * @param isNoted true if the reading is noted as a suspect of a crash, so that the publisher must
   *     report its answer
   * @return false if the reading must wait
   */
  boolean serveNext(boolean isNoted, long now) {
    Arrival.OfReading next = ledger.next();
    switch (judge(next)) {
      case ADMITTED -> serve(next, isNoted, now);
      case REFUSED -> {
        ledger.settleNext();
        outputs.refuse(run, next, memoryQuota.why());
      }
      case WAITS -> {
        return false;
      }
    }
    return true;
  }

  /** Refuses all readings that have not had their turn. */
  void refuseRest(Refusal.Reason why) {
    memoryQuota.exceed(ledger.lastTurn() + 1, why);
  }

  /**
   * Has the matchers release the particles of a refused run; its latest checkpoint contains them.
   */
  void releaseParticles() {
    if (!isReleased) {
      isReleased = true;
      outputs.runClosed.emit(new Payload.RunClosed(run, false, false)); // The run has not ended.
    }
    memoryQuota.released();
  }

  /** Returns true if the matchers have released the run's particles. */
  boolean isReleased() {
    return isReleased;
  }

  /**
   * Judges the memory that a reading needs. The message being handled may be about another reading,
   * so exceptions name this one, as in {@link #decide}.
   */
  private MemoryQuota.Verdict judge(Arrival.OfReading arrival) {
    try {
      boolean isMalformed = readingFilter.isMalformed(arrival.reading().scan());
      return memoryQuota.judge(arrival.sequence(), arrival.reading(), isMalformed);
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw new FailedReadingException(arrival.sequence(), e);
    }
  }

  private void serve(Arrival.OfReading arrival, boolean isNoted, long now) {
    waitedSince = isIdle() ? now : waitedSince;
    ledger.admitNext(new InFlightReading(arrival.sequence(), matchers, isNoted));
    keepPlacement(arrival);
    placeUpTo(arrival.sequence()); // Takes effect at the next accepted reading.
    ReadingFilter.Decision decision = decide(arrival);
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      ledger.settleLast();
      outputs.refuse(run, arrival, refuse.why());
    } else if (decision instanceof ReadingFilter.Decision.Accept accept) {
      admit(accept.step(), arrival, now);
    }
  }

  private void keepPlacement(Arrival.OfReading reading) {
    InitialPose said = reading.initialPose();
    if (knownMap == null ? said instanceof InitialPose.At : said != null) {
      initialPoses.put(reading.sequence(), said);
    }
  }

  /**
   * Applies the initial poses of readings up to a number; they take effect at the next reading that
   * the filter accepts.
   */
  private void placeUpTo(long sequence) {
    NavigableMap<Long, InitialPose> said = initialPoses.headMap(sequence, true);
    said.values().forEach(this::place);
    said.clear();
  }

  /** A robot that makes its map says where it was carried to. */
  private void place(InitialPose where) {
    if (knownMap == null && where instanceof InitialPose.At carriedTo) {
      readingFilter.relocate(carriedTo, filterSettings);
    } else {
      readingFilter.place(where);
    }
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
    InFlightReading inFlight = ledger.inFlight().getLast();
    outputs.admitted.emit(
        new Payload.Admitted(run, step, arrival.heldMap(), ledger.durable(), inFlight.isNoted()));
    if (step.keyFrame()) {
      inFlight.markKeyFrame();
      boolean isCounted =
          memoryQuota.admit(step.sequence(), arrival.reading().odometry(), step.scan());
      outputs.keyFrames.emit(new Payload.KeyFrame(run, step, isCounted));
    }
    emitServed(now);
  }

  /** Notes that a task is done with its part of a reading. */
  void done(Payload.Done by, long now) {
    ledger.inFlight().stream()
        .filter(reading -> reading.sequence() == by.sequence())
        .forEach(reading -> reading.done(by));
    emitServed(now);
  }

  /**
   * Reports the readings that are served, in the order of admission, and settles those that are
   * done.
   */
  private void emitServed(long now) {
    while (!isIdle()) {
      InFlightReading first = ledger.inFlight().getFirst();
      if (first.becomesServed()) {
        emitServed(first, now);
      }
      if (!first.isDone()) {
        return;
      }
      ledger.settleFirst();
    }
  }

  private void emitServed(InFlightReading first, long now) {
    long nanoTime = System.nanoTime();
    long took = nanoTime - Math.max(first.admitted(), servedAtNanoTime);
    outputs.served.emit(
        new Payload.Served(run, first.sequence(), first.admitted(), took, first.timings()));
    memoryQuota.served(first.sequence(), first.mapBytes());
    servedAtNanoTime = nanoTime;
    latestServed = first.sequence();
    waitedSince = now;
  }

  // --- progress ----------------------------------------------------------------------------------

  /** Returns the number of the latest reading that was served in this epoch; 0 for none. */
  long latestServed() {
    return latestServed;
  }

  /** Returns true if no reading is being processed. */
  boolean isIdle() {
    return ledger.inFlight().isEmpty();
  }

  /** Returns the robot's message that the run has ended, if all readings before it are settled. */
  Optional<Arrival.OfEnd> end() {
    Arrival.OfEnd end = ledger.end();
    return isIdle() && end != null && ledger.lastTurn() >= end.sequence()
        ? Optional.of(end)
        : Optional.empty();
  }

  /**
   * Returns the first reading in the filter if it has been processed for longer than {@code
   * patienceNanos}; else empty.
   */
  Optional<InFlightReading> late(long patienceNanos, long now) {
    return !isIdle() && now - waitedSince > patienceNanos
        ? Optional.of(ledger.inFlight().getFirst())
        : Optional.empty();
  }
}
