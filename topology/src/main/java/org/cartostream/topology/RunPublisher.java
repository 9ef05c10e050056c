package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.Payload.AmongPublishers;
import org.cartostream.topology.publish.AnswerSender;
import org.cartostream.topology.publish.LoopClosureJob;
import org.cartostream.topology.publish.MapPublisher;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * The publisher's state of one run: the outcomes of its readings, and the paths of its particles.
 *
 * <p>Owns the run's {@link ParticleTrajectories} until the final result is sent, the {@link
 * LoopClosureJob} of the best one before that, the {@link PendingReadings}, the {@link
 * MapPublisher}, and the {@link AnswerSender}. Dispatcher and resampler write to it in no common
 * order: a reading enters the trajectory tree when it was admitted and, if a key frame, decided, in
 * the order of admission; it is answered when it has entered and was served.
 */
final class RunPublisher {

  /** So long a decision may be on its way while another publisher has it. */
  private static final int PATIENCE_SECONDS = 2;

  private final Run run;
  private final TopologySettings settings;
  private final FilterSettings filter;
  private final PauseTolerantClock clock;
  private final RunStatistics runStatistics;
  private final AnswerSender answerSender;
  private final MapPublisher maps;
  private final Function<RecordedPath, LoopClosureJob> closer;
  private final PendingReadings pendingReadings = new PendingReadings();

  /** Null after the final result, and if they are lost. */
  private ParticleTrajectories particleTrajectories;

  /** Null until the run is done, and as soon as the paths are gone. */
  private LoopClosureJob loopClosureJob;

  /** False until it knows of the run's first reading. */
  private boolean begun;

  private boolean lostPaths;

  /** How often the run has begun again, and the round of the questions after which it did last. */
  private int generation;

  private long reborn;

  /** Why the run broke, for people; empty if it did not. */
  private String failure = "";

  private boolean hasPath;

  /** Null until it knows that nothing follows. */
  private Payload.Ended end;

  /**
   * @param tasks how many hold particles
   * @param clock of the publisher
   * @param active whether it sends to the robot, until that changes
   * @param closer begins a loop closure, and calls {@link #closed} when it is done
   */
  RunPublisher(
      Run run,
      ServiceSettings settings,
      int tasks,
      AnswerSender.EnvelopeSink envelopeSink,
      PauseTolerantClock clock,
      boolean active,
      Function<RecordedPath, LoopClosureJob> closer) {
    this.run = run;
    this.clock = clock;
    this.closer = closer;
    this.settings = settings.topology();
    this.runStatistics =
        new RunStatistics(run.robot(), tasks, settings.topology().workers() == 1, active);
    this.answerSender = new AnswerSender(run, envelopeSink, clock, active);
    this.maps = new MapPublisher(run, settings.topology(), settings.broker().maxMessageBytes());
    this.filter = settings.filter();
    this.particleTrajectories = new ParticleTrajectories(filter);
  }

  Run run() {
    return run;
  }

  /** The run's beginning was seen here. */
  void begin() {
    begun = true;
  }

  /** True if it has seen the run's beginning, or knows already that it has not its paths. */
  boolean hasBegun() {
    return begun || lostPaths;
  }

  /** True if it can give a snapshot: it has the paths, and they have not left at the end. */
  boolean hasStory() {
    return hasPaths() && particleTrajectories != null;
  }

  /** A snapshot, for a publisher that has lost its state or came late; none after the end. */
  Optional<AmongPublishers.Story> story() {
    return hasStory()
        ? Optional.of(
            new AmongPublishers.Story(
                run,
                generation,
                reborn,
                particleTrajectories.snapshot(),
                pendingReadings.snapshot(),
                answerSender.answers(),
                runStatistics.snapshot()))
        : Optional.empty();
  }

  /** Goes on from another's snapshot; this one has received nothing yet. */
  void restore(AmongPublishers.Story story) {
    begun = true;
    generation = story.generation();
    reborn = story.reborn();
    particleTrajectories = new ParticleTrajectories(filter, story.paths());
    pendingReadings.restore(story.docket(), clock.nanos());
    answerSender.restore(story.answers());
    runStatistics.restore(story.tally());
    story.paths().tree().latest().ifPresent(this::entered);
  }

  /**
   * True if it has the run's paths, and lacks nothing for long, so that it could be the active one.
   */
  boolean follows() {
    long now = clock.nanos();
    return hasPaths()
        && pendingReadings.open().stream()
            .noneMatch(each -> each.lacksDecision(PATIENCE_SECONDS, now));
  }

  /** True if it has all paths from the run's beginning, or had them when they left at the end. */
  boolean hasPaths() {
    return begun && !lostPaths;
  }

  /** Why it has not the paths, or not any more, for people; empty if it has them. */
  String lost() {
    return lostPaths ? failure : "";
  }

  boolean isActive() {
    return answerSender.isActive();
  }

  /** It sends to the robot from now on, or another does; whoever does shows the figures. */
  void setActive(boolean toRobot) {
    if (toRobot != answerSender.isActive()) {
      runStatistics.show(toRobot);
      answerSender.setActive(toRobot);
    }
  }

  /**
   * @throws IllegalStateException if a message was lost on its way, so that the paths would be
   *     wrong
   */
  void admitted(Payload.Admitted message) {
    Step step = message.step();
    maps.robotHolds(message.heldMap());
    requireGeneration(message.generation());
    if (pendingReadings.hasAdmitted(step.sequence())) {
      return; // A new dispatcher cannot know whether its message had arrived.
    }
    long unknown = pendingReadings.firstUnknown(step.sequence() - 1, answerSender::mayHaveAnswered);
    pendingReadings.admit(step);
    requireKnown(unknown == 0, unknown);
    enterReady();
  }

  /** It knows as often that the run began again. */
  private void requireGeneration(int known) {
    if (known > generation && !lostPaths) {
      throw new IllegalStateException("nothing is known of particles that were lost");
    }
  }

  private void requireKnown(boolean known, long sequence) {
    if (!known && !lostPaths) {
      throw new IllegalStateException("nothing is known of reading " + sequence);
    }
  }

  void resampled(Payload.ResamplingResult resamplingResult) {
    if (particleTrajectories != null) {
      particleTrajectories.decided(resamplingResult);
      enterReady();
    }
  }

  void reborn(Payload.Rebirth message) {
    if (message.round() <= reborn && message.generation() <= generation) {
      return; // It is in the other's snapshot.
    }
    requireGeneration(message.generation() - 1);
    runStatistics.rebuilt(message.lost());
    generation = message.generation();
    reborn = message.round();
    if (particleTrajectories != null) {
      particleTrajectories.reborn(message);
    }
  }

  /**
   * @throws IllegalStateException if a message was lost on its way: that the reading was admitted
   */
  void served(Payload.Served by) {
    requireKnown(!begun || pendingReadings.hasAdmitted(by.sequence()), by.sequence());
    runStatistics.served(by);
    PendingReading reading = pendingReadings.open(by.sequence());
    if (reading != null) {
      reading.served(by.serviceNanos(), clock.nanos());
      answerIfDone(reading);
    }
    finishIfDone();
  }

  void readingRefused(Payload.ReadingRefused readingRefused) {
    answer(
        readingRefused.sequence(),
        readingRefused.stampNanos(),
        new Outcome.Refused(readingRefused.refusal(), readingRefused.sentence()));
  }

  void readingLost(Payload.ReadingLost readingLost) {
    PendingReading reading = pendingReadings.close(readingLost.sequence());
    if (particleTrajectories != null && particleTrajectories.drop(readingLost.sequence())) {
      requireKnown(reading != null, readingLost.sequence());
    }
    if (reading == null || !reading.hasEntered()) {
      answer(
          readingLost.sequence(),
          readingLost.stampNanos(),
          new Outcome.Lost(readingLost.sentence()));
    } else {
      // It is on the path already; only the next reading finds no particles to go on with.
      long gaveUpAfter = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
      answer(readingLost.sequence(), readingLost.stampNanos(), reading.processed(gaveUpAfter));
    }
    finishIfDone();
  }

  /**
   * Something went wrong with the paths or the map. They are given up, and what is open is lost.
   *
   * @param why for people
   */
  void fail(String why) {
    lostPaths = true;
    if (failure.isEmpty()) {
      failure = why;
    }
    letGoOfPaths();
    enterReady();
  }

  /**
   * Sends the answer again; what is not known, because a later number came first, is lost. The
   * dispatcher is done with what is open here, so its message of that was lost.
   *
   * @throws IllegalStateException if others may know of it
   */
  void readingRepeated(Payload.ReadingRepeated readingRepeated) {
    long sequence = readingRepeated.sequence();
    if (answerSender.resendAnswer(sequence)) {
      return;
    }
    if (pendingReadings.open(sequence) != null) {
      markServed(pendingReadings.open(sequence));
      finishIfDone();
    } else if (!answerSender.mayHaveAnswered(sequence)) {
      requireKnown(settings.publishers() == 1, sequence);
      answer(
          sequence,
          readingRepeated.stampNanos(),
          new Outcome.Lost("Reading " + sequence + " came after a later one"));
    }
  }

  /**
   * @throws IllegalStateException if a message was lost on its way, so that the path would have a
   *     gap
   */
  void ended(Payload.Ended ended) {
    end = ended;
    maps.robotHolds(ended.heldMap());
    if (!ended.failure().isEmpty()) {
      failure = ended.failure(); // What came of it here came later.
    }
    if (answerSender.hasSentFinalResult()) {
      answerSender.resendFinalResult();
      return;
    }
    if (loopClosureJob != null && hasPath) {
      // A gateway that receives nothing for long gives up.
      answerSender.send(
          ended.sequence(), ended.stampNanos(), new PoseMessage(particleTrajectories.current()));
    }
    if (ended.failure().isEmpty()) {
      long unknown = pendingReadings.firstUnknown(ended.sequence(), answerSender::mayHaveAnswered);
      requireKnown(unknown == 0, unknown);
    }
    pendingReadings.open().forEach(this::markServed);
    finishIfDone();
  }

  /**
   * What a new dispatcher is to know.
   *
   * @param ended numbers of runs of the robot that were over before
   */
  Payload.Remembered remembered(int publisher, long[] ended) {
    long[] unjudged =
        pendingReadings.open().stream()
            .filter(reading -> particleTrajectories != null && !reading.hasEntered())
            .filter(reading -> !particleTrajectories.canEnter(reading.step()))
            .mapToLong(PendingReading::sequence)
            .toArray();
    long settled = Math.max(pendingReadings.latestAdmitted(), answerSender.latestAnswered());
    return new Payload.Remembered(
        run, publisher, false, ended, hasPaths(), settled, unjudged, hasPath);
  }

  /** A new dispatcher goes on. */
  void resumed(Payload.Resumed message) {
    pendingReadings.resume(message).forEach(this::markServed);
    finishIfDone();
  }

  private void markServed(PendingReading reading) {
    reading.served(clock.nanos());
    answerIfDone(reading);
  }

  private void enterReady() {
    for (PendingReading reading : pendingReadings.open()) {
      Step step = reading.step();
      if (particleTrajectories == null) {
        pendingReadings.close(step.sequence());
        answer(step.sequence(), step.stampNanos(), new Outcome.Lost(failure));
      } else if (!reading.hasEntered()) {
        if (!particleTrajectories.canEnter(step)) {
          return;
        }
        enter(reading);
        answerIfDone(reading);
      }
    }
    finishIfDone();
  }

  private void enter(PendingReading reading) {
    long start = System.nanoTime();
    Step step = reading.step();
    runStatistics.admitted(step);
    particleTrajectories
        .enter(step)
        .ifPresent(resamplingResult -> recordResult(resamplingResult, step));
    Pose pose = particleTrajectories.current();
    reading.enter(pose, particleTrajectories.effectiveSampleSize(), particleTrajectories.entropy());
    answerSender.send(step.sequence(), step.stampNanos(), new PoseMessage(pose));
    runStatistics.published(System.nanoTime() - start);
  }

  private void recordResult(Payload.ResamplingResult resamplingResult, Step keyFrame) {
    runStatistics.resampled(resamplingResult);
    entered(keyFrame);
  }

  private void entered(Step keyFrame) {
    maps.changedBy(keyFrame);
    hasPath = true;
  }

  private void answerIfDone(PendingReading reading) {
    if (reading.isDone()) {
      pendingReadings.close(reading.sequence());
      answer(reading.sequence(), reading.step().stampNanos(), reading.processed());
    }
  }

  private void answer(long sequence, long stampNanos, Outcome outcome) {
    if (answerSender.answer(sequence, stampNanos, outcome)) {
      runStatistics.outcome(outcome);
    }
  }

  /**
   * Looks at the time: drops an old final result.
   *
   * @throws IllegalStateException if a decision does not come, without which no path goes on
   */
  void watch() {
    long now = clock.nanos();
    int seconds = settings.readingTimeoutSeconds();
    pendingReadings.open().forEach(reading -> reading.requireDecision(seconds, now));
    if (answerSender.watch()) {
      runStatistics.close();
    }
  }

  /** True if it is time for a map. */
  boolean isMapDue(long nanoTime) {
    return answerSender.isActive() && particleTrajectories != null && maps.isDue(nanoTime);
  }

  /** Since when, by {@link System#nanoTime}. */
  long mapDueSince() {
    return maps.dueSince();
  }

  /** Draws the map that is due. */
  void drawMap() {
    long start = System.nanoTime();
    Step newest = maps.unmapped();
    particleTrajectories
        .drawnBy(maps, newest.sequence())
        .ifPresent(map -> answerSender.send(newest.sequence(), newest.stampNanos(), map));
    long now = System.nanoTime();
    runStatistics.published(now - start);
    maps.drawn(now);
  }

  /** Nothing more is sent of the run, and its figures are shown no more. */
  void close() {
    runStatistics.close();
    letGoOfPaths();
  }

  private void letGoOfPaths() {
    particleTrajectories = null;
    if (loopClosureJob != null) {
      loopClosureJob.cancel();
      loopClosureJob = null;
    }
  }

  /** A loop closure is done; perhaps one that is not wanted any more. */
  void closed() {
    finishIfDone();
  }

  private void finishIfDone() {
    if (end == null || answerSender.hasSentFinalResult() || !pendingReadings.isEmpty()) {
      return;
    }
    if (particleTrajectories == null) {
      sendFinalResult(List.of());
      return;
    }
    long start = System.nanoTime();
    if (loopClosureJob == null) {
      loopClosureJob = closer.apply(particleTrajectories.bestPath());
    }
    Optional<List<Message>> last = loopClosureJob.result().map(this::pathAndMap);
    runStatistics.published(System.nanoTime() - start);
    last.ifPresent(this::sendFinalResult);
  }

  private List<Message> pathAndMap(LoopClosureJob.Result closed) {
    List<Message> messages = new ArrayList<>(TrajectoryMessage.partsOf(closed.path()));
    runStatistics.closed(closed.loops());
    closed.map().flatMap(maps::drawLast).ifPresent(messages::add);
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
    Message afterwards = runStatistics.report(failure.isEmpty() ? gone : failure);
    answerSender.sendFinalResult(end.sequence(), end.stampNanos(), last, afterwards, keptSeconds);
    letGoOfPaths();
  }
}
