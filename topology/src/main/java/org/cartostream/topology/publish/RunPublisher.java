package org.cartostream.topology.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.response.ResponseSender;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher's state of one run: the outcomes of its readings, and its robot's path.
 *
 * <p>Owns the run's {@link RunPaths} until the final result is sent, the {@link PendingReadings},
 * the {@link MapPublisher}, and the {@link ResponseSender}. Messages of dispatcher and resampler
 * come in no common order. So a reading enters the path when it was admitted and, for a key frame,
 * the decision has come, in the order of admission. It is answered when it has entered and was
 * served. At a checkpoint barrier, readings after it wait until all before it are answered and the
 * state is saved.
 */
final class RunPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(RunPublisher.class);

  private static final long NONE = -1;

  private final Run run;
  private final TopologySettings settings;
  private final PauseTolerantClock clock;
  private final RateLimitedLog refused = new RateLimitedLog(System.nanoTime());
  private final RunStatistics runStatistics;
  private final ResponseSender responseSender;
  private final MapPublisher maps;
  private final ParticleCloudPublisher clouds;
  private final PublisherCollaborators collaborators;
  private final PendingReadings pendingReadings;

  /** Path of the robot; null after the final result, and if it is lost. */
  private RunPaths paths;

  /** Reason for which the run failed, for people; empty if it has not failed. */
  private String failure = "";

  /** Latest key frame on the path; null if there is none. */
  private Step latestKeyFrame;

  /** Reading of the checkpoint barrier that has come and is not reached; {@link #NONE} for none. */
  private long marked = NONE;

  /** Message that the run has ended; null until it has come. */
  private Payload.Ended end;

  /**
   * The publisher's part of a checkpoint.
   *
   * @param paths path of the robot
   * @param latestKeyFrame latest key frame on the path; null if there is none
   * @param latestAdmitted number of the latest reading that was admitted; 0 for none
   * @param answers answers that may have to be sent again
   * @param statistics figures of the run so far
   */
  record Saved(
      RunPaths paths,
      Step latestKeyFrame,
      long latestAdmitted,
      ResponseSender.Response[] answers,
      RunStatistics.Snapshot statistics) {}

  /**
   * @param tasks number of tasks that hold particles
   * @param paths path of the robot so far
   * @param saved publisher's part of the checkpoint from which the run goes on; null if the run
   *     begins
   * @param tell takes the number of an answered reading that is noted as a suspect of crashes
   */
  RunPublisher(
      Run run,
      ServiceSettings settings,
      int tasks,
      PublisherCollaborators collaborators,
      RunPaths paths,
      Saved saved,
      LongConsumer tell) {
    this.run = run;
    this.paths = paths;
    this.collaborators = collaborators;
    this.clock = collaborators.clock();
    this.settings = settings.topology();
    this.runStatistics = new RunStatistics(run.robot(), tasks, settings.topology().workers() == 1);
    this.responseSender = new ResponseSender(run, collaborators.envelopeSink(), clock);
    this.clouds = new ParticleCloudPublisher(settings.topology(), collaborators.nanoTime());
    long now = collaborators.nanoTime().getAsLong();
    this.maps = new MapPublisher(run, settings, collaborators.redraws(), now);
    this.pendingReadings = new PendingReadings(saved == null ? 0 : saved.latestAdmitted(), tell);
    if (saved != null) {
      responseSender.restore(saved.answers());
      runStatistics.restore(saved.statistics());
      latestKeyFrame = saved.latestKeyFrame();
      if (latestKeyFrame != null && paths.changesMap(latestKeyFrame, maps)) {
        maps.changedBy(latestKeyFrame);
      }
    }
  }

  Run run() {
    return run;
  }

  /**
   * Saves the state when all readings up to a number are answered.
   *
   * @throws LostMessageException if a message about an earlier reading was lost, so that the state
   *     would be incomplete
   */
  void barrier(long reading) {
    requireKnownTo(reading);
    marked = reading;
    enterReady();
  }

  /**
   * Saves the state if a barrier is reached; returns true if so, and {@link #enterReady} is called
   * again when the state may change.
   */
  private boolean saveIfReached() {
    if (marked == NONE || pendingReadings.isOpenTo(marked) || paths == null) {
      return false;
    }
    long reached = marked;
    marked = NONE;
    Saved saved =
        new Saved(
            paths,
            latestKeyFrame,
            pendingReadings.latestAdmitted(),
            responseSender.answers(),
            runStatistics.snapshot());
    collaborators.offload().save(reached, saved, this::enterReady);
    return true;
  }

  /**
   * Takes a reading that was admitted.
   *
   * @throws LostMessageException if a message about an earlier reading was lost, so that the path
   *     would be wrong
   */
  void admitted(Payload.Admitted message) {
    maps.robotHolds(message.heldMap());
    responseSender.durableTo(message.durable());
    requireKnownTo(message.step().sequence() - 1);
    pendingReadings.admit(message);
    enterReady();
  }

  private void requireKnownTo(long sequence) {
    long unknown = pendingReadings.firstUnknown(sequence, responseSender::mayHaveAnswered);
    if (unknown != 0 && failure.isEmpty()) {
      throw new LostMessageException("nothing is known of reading " + unknown);
    }
  }

  private void requireServedTo(long sequence) {
    if (failure.isEmpty()) {
      pendingReadings.requireServedTo(sequence);
    }
  }

  void resampled(Payload.ResamplingResult resamplingResult) {
    if (paths != null) {
      paths.decided().add(resamplingResult);
      enterReady();
    }
  }

  /**
   * Takes the report that a reading is served.
   *
   * @throws LostMessageException if such a report on an earlier reading was lost, which would never
   *     be answered
   */
  void served(Payload.Served by) {
    requireServedTo(by.sequence() - 1);
    runStatistics.served(by);
    PendingReading reading = pendingReadings.open(by.sequence());
    if (reading != null) {
      reading.served(by.serviceNanos(), clock.nanos());
      answerIfDone(reading);
    }
    enterReady();
  }

  void readingRefused(Payload.ReadingRefused readingRefused) {
    answer(
        readingRefused.sequence(),
        readingRefused.stampNanos(),
        new Outcome.Refused(readingRefused.refusal(), readingRefused.sentence()));
  }

  void readingLost(Payload.ReadingLost readingLost) {
    PendingReading reading = pendingReadings.close(readingLost.sequence());
    if (paths != null) {
      paths.decided().drop(readingLost.sequence());
    }
    // A reading on the path counts as processed, though its particles are lost.
    boolean counts = reading != null && reading.hasEntered();
    Outcome outcome = counts ? reading.processed() : new Outcome.Lost(readingLost.sentence());
    answer(readingLost.sequence(), readingLost.stampNanos(), outcome);
    finishIfDone();
  }

  /**
   * Takes the restore message with which the run begins, goes on, or is only brought to its end.
   */
  void restored(Payload.Restore restore) {
    runStatistics.recovered(restore.recovery());
    failure = restore.failure();
    maps.knows(restore.knownMap());
  }

  /**
   * Sends the answer to a repeated reading again.
   *
   * @throws LostMessageException if there is no answer because a message was lost
   */
  void duplicateReading(Payload.DuplicateReading duplicateReading) {
    long sequence = duplicateReading.sequence();
    if (!responseSender.resendAnswer(sequence) && !responseSender.mayHaveAnswered(sequence)) {
      requireKnownTo(sequence);
      requireServedTo(sequence);
    }
  }

  /**
   * Takes the message that the run has ended, and sends the final result when it is complete.
   *
   * @throws LostMessageException if a message about a reading was lost, so that the path would have
   *     a gap
   */
  void ended(Payload.Ended ended) {
    end = ended;
    runStatistics.recovered(ended.recovery());
    maps.robotHolds(ended.heldMap());
    if (!ended.failure().isEmpty()) {
      failure = ended.failure();
    }
    if (responseSender.hasSentFinalResult()) {
      responseSender.resendFinalResult();
      return;
    }
    if (paths != null && paths.isClosing() && latestKeyFrame != null) {
      // Shows the gateway, which would give up, that the service is alive.
      responseSender.send(ended.sequence(), ended.stampNanos(), new PoseMessage(paths.current()));
    }
    requireKnownTo(ended.sequence());
    requireServedTo(ended.sequence());
    finishIfDone();
  }

  /** Asks the robot's gateway to send missing readings again. */
  void requestResend(Payload.ResendRequest missing) {
    responseSender.send(
        missing.first(), 0, new ResendRequestMessage(missing.first(), missing.last()));
  }

  /**
   * Enters and answers all readings that are ready; called after each message, and after searches
   * for loops and loop closures.
   */
  void enterReady() {
    for (PendingReading reading : pendingReadings.open()) {
      if (saveIfReached()) {
        return;
      }
      Step step = reading.step();
      if (paths == null) {
        answer(step.sequence(), step.stampNanos(), new Outcome.Lost(failure));
        pendingReadings.close(step.sequence());
      } else if (!reading.hasEntered()) {
        boolean waitsForMark = marked != NONE && step.sequence() > marked;
        if (waitsForMark || !paths.canEnter(step)) {
          return;
        }
        enter(reading);
        answerIfDone(reading);
      }
    }
    if (!saveIfReached()) {
      finishIfDone();
    }
  }

  private void enter(PendingReading reading) {
    long start = System.nanoTime();
    Step step = reading.step();
    runStatistics.admitted(step);
    paths.enter(step).ifPresent(runStatistics::resampled);
    latestKeyFrame = step.keyFrame() ? step : latestKeyFrame;
    if (paths.changesMap(step, maps)) {
      maps.changedBy(step);
    }
    reading.enter(paths);
    responseSender.send(step, new PoseMessage(paths.current()));
    clouds.at(step, paths).ifPresent(each -> responseSender.send(step, each));
    paths.newLoops().ifPresent(each -> responseSender.send(step, each));
    runStatistics.published(System.nanoTime() - start);
  }

  private void answerIfDone(PendingReading reading) {
    if (reading.isDone()) {
      answer(reading.sequence(), reading.step().stampNanos(), reading.processed());
      pendingReadings.close(reading.sequence());
    }
  }

  private void answer(long sequence, long stampNanos, Outcome outcome) {
    if (responseSender.answer(sequence, stampNanos, outcome)) {
      runStatistics.outcome(outcome);
      if (outcome instanceof Outcome.Refused no) {
        refused.record(
            System.nanoTime(),
            count ->
                LOG.info(
                    "{}: reading {} is refused ({} so far): {}",
                    run,
                    sequence,
                    count,
                    no.sentence()));
      }
    }
  }

  /**
   * Checks time-outs, and drops an old final result.
   *
   * @throws LostMessageException if a decision has been missing for long, without which no path
   *     goes on
   */
  void watch() {
    pendingReadings.requireDecisions(
        settings.readingTimeoutSeconds(),
        clock.nanos(),
        step -> paths == null || paths.decided().has(step));
    if (responseSender.watch()) {
      runStatistics.close();
    }
  }

  /** Returns true if it is time for a map. */
  boolean isMapDue(long nanoTime) {
    return paths != null && maps.isDue(nanoTime);
  }

  /** Returns the time from which the map has been due, nanoseconds. */
  long mapDueSince() {
    return maps.dueSince();
  }

  /** Draws the map that is due; may be called in any thread while no other uses the state. */
  Optional<MapMessage> drawMap() {
    return paths.drawnBy(maps, maps.unmapped().sequence());
  }

  /**
   * Sends a map that was drawn, and returns its size for the dispatcher.
   *
   * @param map the map; empty if it is too large
   * @param nanos time that drawing took, nanoseconds
   */
  Payload.MapMemoryUse send(Optional<MapMessage> map, long nanos) {
    Step newest = maps.unmapped();
    map.ifPresent(each -> responseSender.send(newest, each));
    maps.takeForObservers().ifPresent(each -> responseSender.send(newest, each));
    runStatistics.published(nanos);
    maps.drawn(collaborators.nanoTime().getAsLong());
    return new Payload.MapMemoryUse(
        run, newest.sequence(), paths.mapBytes(), paths.heldScanBytes());
  }

  /** Closes the publisher: nothing more of the run is sent, and its metrics disappear. */
  void close() {
    runStatistics.close();
    letGoOfPaths();
  }

  private void letGoOfPaths() {
    if (paths != null) {
      paths.close();
      paths = null;
    }
  }

  private void finishIfDone() {
    if (end == null || responseSender.hasSentFinalResult() || !pendingReadings.isEmpty()) {
      return;
    }
    if (paths == null) {
      sendFinalResult(List.of());
      return;
    }
    long start = System.nanoTime();
    paths.end(collaborators.closer(), runStatistics).ifPresent(closed -> finish(closed, start));
  }

  private void finish(LoopClosureJob.Result closed, long start) {
    PublisherCollaborators.Offload offload = collaborators.offload();
    offload.use(
        () -> closed.map().flatMap(maps::drawLast),
        map -> {
          // First: the report has this time, too.
          runStatistics.published(System.nanoTime() - start);
          sendFinalResult(pathAndMap(closed, map));
        });
  }

  private List<Message> pathAndMap(LoopClosureJob.Result closed, Optional<MapMessage> map) {
    List<Message> messages = new ArrayList<>(closed.pathAndLoops());
    runStatistics.closed(closed.loops());
    map.ifPresent(messages::add);
    failure =
        Stream.of(failure, closed.failure(), maps.tooLarge())
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    return messages;
  }

  private void sendFinalResult(List<Message> pathAndMap) {
    List<Message> last = new ArrayList<>(pathAndMap);
    last.add(runStatistics.report(failure));
    int keptSeconds = settings.finalResultSeconds();
    String gone = "The map and the path were kept for " + keptSeconds + " s and are gone";
    Message after = runStatistics.report(failure.isEmpty() ? gone : failure);
    responseSender.sendFinalResult(end.sequence(), end.stampNanos(), last, after, keptSeconds);
    letGoOfPaths();
  }
}
