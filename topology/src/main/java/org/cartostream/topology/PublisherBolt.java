package org.cartostream.topology;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.message.Envelope;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.Payload.AmongPublishers;
import org.cartostream.topology.publish.AnswerSender;
import org.cartostream.topology.publish.LoopClosureJob;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.LatestRunMap;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.RateLimitedLog;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends robots the outcomes of their readings, their poses and their maps.
 *
 * <p>Where there are several publishers, all of them receive all messages and keep all paths, so
 * that a run outlives the death of one; the dispatcher chooses which of them sends to a robot
 * ({@link Rostrum}). One that was started anew, or missed a message, gets a snapshot of the run
 * from another.
 *
 * <p>Owns one {@link Witness} per robot, the open requests for snapshots, the offers made and the
 * runs that are over, the time of the next map of whichever robot, the {@link PauseTolerantClock},
 * the thread that closes the loops of runs that have ended, one after another, and the connection
 * by which answers leave. What the connection does not take, because the broker has been away for
 * long, is dropped with a warning: a robot asks again for what it misses.
 */
final class PublisherBolt extends Bolt<Component.Publisher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PublisherBolt.class);

  /** All maps together may take one part in this many of the publisher's time. */
  private static final int SHARE_OF_MAPS = 10;

  private final SerializedSettings<ServiceSettings> serializedSettings;

  private transient StreamPorts<Component.Publisher> attempts;
  private transient StreamOutput<Payload.Following> following;
  private transient StreamOutput<Payload.Remembered> remembered;
  private transient StreamOutput<AmongPublishers.Offer> offers;
  private transient StreamOutput.Direct<AmongPublishers.Request> requests;
  private transient StreamOutput.Direct<AmongPublishers.Story> stories;
  private transient StreamOutput.Direct<AmongPublishers.LoopClosureDone> closed;
  private transient ServiceSettings settings;
  private transient int task;
  private transient int matchers;
  private transient BrokerConnection broker;
  private transient AnswerSender.EnvelopeSink envelopeSink;
  private transient ExecutorService loopClosureThread;
  private transient Executor elsewhere;
  private transient UnaryOperator<RecordedPath> closer;
  private transient LatestRunMap<Witness> witnesses;
  private transient IdleRunDetector idleRunDetector;
  private transient Set<AmongPublishers.Request> asked;
  private transient Map<String, Run> offeredOnce;
  private transient Map<String, Run> over;
  private transient long nextMapAt;
  private transient PauseTolerantClock clock;
  private transient RateLimitedLog dropped;

  PublisherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    this.serializedSettings = serializedSettings;
  }

  @Override
  void wire(StreamPorts<Component.Publisher> streamPorts) {
    following = streamPorts.out(Streams.FOLLOWING);
    streamPorts.onFailure(this::failed);
    attempts = streamPorts;
    streamPorts.on(Streams.PUBLISHER_RECALLS, this::recall);
    remembered = streamPorts.out(Streams.REMEMBERED);
    streamPorts.on(Streams.RESUMED, message -> dispatch(message, of -> of.resumed(message)));
    streamPorts.on(
        Streams.SPEAKERS,
        message -> dispatch(message, of -> of.setActive(message.publisher() == task)));
    streamPorts.on(
        Streams.ADMITTED,
        message -> dispatch(message, message.step().sequence() <= 1, of -> of.admitted(message)));
    streamPorts.on(
        Streams.RESAMPLING_RESULTS, message -> dispatch(message, of -> of.resampled(message)));
    streamPorts.on(
        Streams.BSP_RESAMPLING_RESULTS, message -> dispatch(message, of -> of.resampled(message)));
    streamPorts.on(Streams.SETTLED, message -> dispatch(message, of -> of.resampled(message)));
    streamPorts.on(
        Streams.PUBLISHER_REBIRTHS, message -> dispatch(message, of -> of.reborn(message)));
    streamPorts.on(Streams.SERVED, this::served);
    streamPorts.on(
        Streams.REFUSED,
        message -> dispatch(message, message.sequence() <= 1, of -> of.readingRefused(message)));
    streamPorts.on(
        Streams.LOST,
        message -> dispatch(message, message.sequence() <= 1, of -> of.readingLost(message)));
    streamPorts.on(
        Streams.REPEATED, message -> dispatch(message, false, of -> of.readingRepeated(message)));
    streamPorts.on(
        Streams.ENDED,
        message -> dispatch(message, message.sequence() == 0, of -> of.ended(message)));
    streamPorts.on(Streams.PUBLISHER_RELEASED, runReleased -> end(runReleased.run()));
    streamPorts.on(Streams.PUBLISHER_KEEP_ALIVE, runKeepAlive -> {}); // onAnyPayload counts it.
    offers = streamPorts.out(Streams.OFFERS);
    streamPorts.on(Streams.OFFERS, this::offered);
    requests = streamPorts.out(Streams.REQUESTS);
    streamPorts.on(Streams.REQUESTS, request -> asked.add(request));
    stories = streamPorts.out(Streams.STORIES);
    streamPorts.on(Streams.STORIES, this::restore);
    closed = streamPorts.out(Streams.LOOPS_CLOSED);
    streamPorts.on(Streams.LOOPS_CLOSED, this::closed);
    streamPorts.onAnyPayload(this::countMessage);
  }

  @Override
  void start(TaskContext taskContext) {
    dropped = new RateLimitedLog(System.nanoTime());
    broker =
        BrokerConnection.open(
            serializedSettings.unpack().broker(), "service, answers", BrokerListener.NONE);
    loopClosureThread =
        Executors.newSingleThreadExecutor(
            new DefaultThreadFactory("publisher-loop-closures", true));
    start(
        taskContext,
        this::publish,
        new PauseTolerantClock(System::nanoTime),
        loopClosureThread,
        RecordedPath::withLoopsClosed);
  }

  /**
   * Starts with answers leaving by {@code by}, and the time by {@code awake}.
   *
   * @param elsewhere runs what would hold up all robots here
   * @param closer gives a path with its loops closed
   */
  void start(
      TaskContext taskContext,
      AnswerSender.EnvelopeSink by,
      PauseTolerantClock awake,
      Executor elsewhere,
      UnaryOperator<RecordedPath> closer) {
    this.elsewhere = elsewhere;
    this.closer = closer;
    clock = awake;
    settings = serializedSettings.unpack();
    task = taskContext.task();
    matchers = taskContext.matchers();
    witnesses = new LatestRunMap<>();
    idleRunDetector = new IdleRunDetector(settings.topology());
    asked = new LinkedHashSet<>();
    offeredOnce = new HashMap<>();
    over = new HashMap<>();
    envelopeSink = by;
    nextMapAt = System.nanoTime();
  }

  /** Messages about a run come late when a later one has begun; they are of no use then. */
  private void dispatch(Payload message, Consumer<RunPublisher> action) {
    Witness witness = witnesses.begin(message.run(), this::begin);
    if (witness != null) {
      witness.hear(action);
    }
  }

  /**
   * A message about a reading, or the end; a publisher that did not see the run's beginning cannot
   * have its paths.
   *
   * @param begins true if no message of the run can have come before
   */
  private void dispatch(Payload message, boolean begins, Consumer<RunPublisher> action) {
    dispatch(
        message,
        runPublisher -> {
          if (begins) {
            runPublisher.begin();
          } else if (!runPublisher.hasBegun()) {
            comeLate(runPublisher);
          }
          action.accept(runPublisher);
        });
  }

  private void comeLate(RunPublisher runPublisher) {
    lose(runPublisher, "The paths until then were lost with a process");
  }

  /** Messages between publishers do not show that anybody else still works on the run. */
  private void countMessage(Payload message) {
    if (!(message instanceof AmongPublishers)) {
      idleRunDetector.recordMessage(message.run());
    }
  }

  /**
   * Another has the run's paths. Of a run whose beginning was not seen here it must offer them
   * twice: the run's first message may be on its way. And it may not know yet that the run is over.
   */
  private void offered(AmongPublishers.Offer offer) {
    Run run = offer.run();
    if (offer.publisher() == task || run.equals(over.get(run.robot()))) {
      return;
    }
    Witness witness = witnesses.get(run);
    if (witness == null || !witness.chronicle().hasBegun()) {
      idleRunDetector.recordRun(run, offer.silence());
      if (!run.equals(offeredOnce.put(run.robot(), run))) {
        return;
      }
      witness = witnesses.begin(run, this::begin);
      if (witness == null) {
        return; // A later run has begun.
      }
      comeLate(witness.chronicle());
    }
    if (witness.asksForStory()) {
      requests.emit(offer.publisher(), new AmongPublishers.Request(run, task));
    }
  }

  /**
   * Sends one snapshot: a large one takes a second, and robots wait for their poses. What was sent
   * before the request has come here by now, most likely, for a tick has passed.
   */
  private void sendOneSnapshot() {
    Iterator<AmongPublishers.Request> all = asked.iterator();
    if (!all.hasNext()) {
      return;
    }
    AmongPublishers.Request request = all.next();
    all.remove();
    Witness witness = witnesses.get(request.run());
    if (witness == null) {
      return;
    }
    try {
      witness.chronicle().story().ifPresent(story -> stories.emit(request.publisher(), story));
    } catch (RuntimeException | OutOfMemoryError e) {
      // The run goes on here; whoever asked asks again.
      LOG.warn("publisher {} was not sent what it missed: {}", request.publisher(), request, e);
    }
  }

  private void restore(AmongPublishers.Story story) {
    Witness witness = witnesses.get(story.run());
    if (witness == null || witness.chronicle().lost().isEmpty()) {
      return;
    }
    witness.told(story, newPublisher(story.run(), false));
    LOG.info("{}: publisher {} was sent what it had missed", story.run(), task);
  }

  /** The best time for a map: the answer has left, and the tasks are busy with the next reading. */
  private void served(Payload.Served message) {
    dispatch(message, of -> of.served(message));
    drawTheMapThatIsDue();
  }

  /** Robots that stand still get their map as well. */
  @Override
  void tick() {
    clock.tick();
    idleRunDetector.tick().forEach(this::end);
    sendOneSnapshot();
    for (Witness witness : witnesses.all()) {
      RunPublisher runPublisher = witness.chronicle();
      attempts.runGuarded(runPublisher.run(), runPublisher::watch);
      if (!isOnlyOne()) {
        reportWhetherItFollows(runPublisher);
      }
    }
    drawTheMapThatIsDue();
  }

  private void reportWhetherItFollows(RunPublisher runPublisher) {
    boolean follows = runPublisher.follows();
    if (follows || !runPublisher.lost().isEmpty()) {
      reportFollowing(runPublisher);
    }
    if (follows && runPublisher.hasStory()) {
      long since = idleRunDetector.ticksSince(runPublisher.run());
      offers.emit(new AmongPublishers.Offer(runPublisher.run(), task, since));
    }
  }

  /** One at a time, whoever has waited longest: however many robots there are, poses come first. */
  private void drawTheMapThatIsDue() {
    long start = System.nanoTime();
    if (start - nextMapAt < 0) {
      return;
    }
    publishers()
        .filter(each -> each.isMapDue(start))
        .min(Comparator.comparingLong(each -> each.mapDueSince() - start))
        .ifPresent(
            runPublisher -> {
              attempts.runGuarded(runPublisher.run(), runPublisher::drawMap);
              long now = System.nanoTime();
              nextMapAt = now + (now - start) * SHARE_OF_MAPS;
            });
  }

  private void recall(Payload.Recall question) {
    Run known = witnesses.known(question.run());
    Witness witness = witnesses.get(known);
    Witness latest = witnesses.ofRobot(known.robot());
    long[] ended = latest == null ? new long[0] : endedBefore(latest.chronicle().run());
    remembered.emit(
        witness == null
            ? new Payload.Remembered(
                known, task, latest != null, ended, false, 0, new long[0], false)
            : witness.chronicle().remembered(task, ended));
  }

  /** A run that has begun twice has not ended before itself. */
  private long[] endedBefore(Run run) {
    return Stream.ofNullable(over.get(run.robot()))
        .filter(each -> each.order() < run.order() && !each.isSameAs(run))
        .mapToLong(Run::number)
        .toArray();
  }

  private void end(Run run) {
    Witness witness = witnesses.get(run);
    if (witness == null) {
      over.remove(run.robot(), run);
      offeredOnce.remove(run.robot(), run);
      return;
    }
    witness.chronicle().close();
    witnesses.end(run);
    over.put(run.robot(), run);
    idleRunDetector.recordRun(run, 0); // After a while nobody will offer it any more.
  }

  private void failed(Run run, Throwable how) {
    Witness witness = witnesses.get(run);
    if (witness != null) {
      lose(witness.chronicle(), Payload.Failed.of(run, Component.Publisher.class, how).sentence());
    }
  }

  /** Sends no more of the run, unless it is made the active one because nobody knows better. */
  private void lose(RunPublisher runPublisher, String sentence) {
    if (!isOnlyOne()) {
      runPublisher.setActive(false);
    }
    runPublisher.fail(sentence);
    reportFollowing(runPublisher);
  }

  private void reportFollowing(RunPublisher runPublisher) {
    following.emit(
        new Payload.Following(
            runPublisher.run(), task, runPublisher.isActive(), runPublisher.lost()));
  }

  private boolean isOnlyOne() {
    return settings.topology().publishers() == 1;
  }

  /** The earlier run's figures make room for those of this one. */
  private Witness begin(Run run) {
    Witness before = witnesses.ofRobot(run.robot());
    if (before != null) {
      before.chronicle().close();
    }
    return new Witness(newPublisher(run, task == 0), isOnlyOne());
  }

  private RunPublisher newPublisher(Run run, boolean active) {
    return new RunPublisher(
        run,
        settings,
        matchers,
        envelopeSink,
        clock,
        active,
        recordedPath -> close(run, recordedPath));
  }

  /**
   * No more wait for their turn than runs have ended. The job's thread emits that it is done, as
   * {@link BspExchange}'s do.
   */
  private LoopClosureJob close(Run run, RecordedPath recordedPath) {
    AmongPublishers.LoopClosureDone message = new AmongPublishers.LoopClosureDone(run);
    LoopClosureJob loopClosureJob =
        new LoopClosureJob(run, recordedPath, closer, () -> closed.emit(task, message));
    elsewhere.execute(loopClosureJob);
    return loopClosureJob;
  }

  /** The run may be over, or have lost its paths, meanwhile. */
  private void closed(AmongPublishers.LoopClosureDone message) {
    Witness witness = witnesses.get(message.run());
    if (witness != null) {
      witness.chronicle().closed();
    }
  }

  private Stream<RunPublisher> publishers() {
    return witnesses.all().stream().map(Witness::chronicle);
  }

  private void publish(Envelope envelope) {
    try {
      if (!broker.publish(envelope)) {
        dropped.record(
            System.nanoTime(),
            count -> LOG.warn("the broker does not take answers; {} dropped so far", count));
      }
    } catch (RefusedMessageException e) {
      LOG.warn("an answer to {} cannot be sent: {}", envelope.robot(), e.getMessage());
    }
  }

  @Override
  void stop() {
    if (broker != null) {
      broker.close();
    }
    if (loopClosureThread != null) {
      loopClosureThread.shutdownNow();
    }
    if (witnesses != null) {
      publishers().forEach(RunPublisher::close);
    }
  }
}
