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
 * Tells the robots what became of their readings, where they are, and what their maps look like.
 *
 * <p>Where there are several publishers, all of them hear all words and keep all paths, so that a
 * run outlives the death of one; the dispatcher says which of them speaks to a robot ({@link
 * Rostrum}). One that was started anew, or missed a word, is told a run's story by another.
 *
 * <p>Owns one {@link Witness} per robot, who asked for which story, what was offered here and what
 * is over, the time of the next map of whichever robot, the {@link PauseTolerantClock}, the thread
 * that closes the loops of runs that have ended, one after another, and the connection by which
 * answers leave. What the connection does not take, because the broker has been away for long, is
 * dropped with a warning: a robot asks again for what it misses.
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
  private transient ExecutorService closingThread;
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
    streamPorts.on(Streams.RESUMED, word -> dispatch(word, of -> of.resumed(word)));
    streamPorts.on(
        Streams.SPEAKERS, word -> dispatch(word, of -> of.setActive(word.publisher() == task)));
    streamPorts.on(
        Streams.ADMITTED,
        word -> dispatch(word, word.step().sequence() <= 1, of -> of.admitted(word)));
    streamPorts.on(Streams.RESAMPLING_RESULTS, word -> dispatch(word, of -> of.resampled(word)));
    streamPorts.on(
        Streams.BSP_RESAMPLING_RESULTS, word -> dispatch(word, of -> of.resampled(word)));
    streamPorts.on(Streams.SETTLED, word -> dispatch(word, of -> of.resampled(word)));
    streamPorts.on(Streams.PUBLISHER_REBIRTHS, word -> dispatch(word, of -> of.reborn(word)));
    streamPorts.on(Streams.SERVED, this::served);
    streamPorts.on(
        Streams.REFUSED,
        word -> dispatch(word, word.sequence() <= 1, of -> of.readingRefused(word)));
    streamPorts.on(
        Streams.LOST, word -> dispatch(word, word.sequence() <= 1, of -> of.readingLost(word)));
    streamPorts.on(Streams.REPEATED, word -> dispatch(word, false, of -> of.readingRepeated(word)));
    streamPorts.on(
        Streams.ENDED, word -> dispatch(word, word.sequence() == 0, of -> of.ended(word)));
    streamPorts.on(Streams.PUBLISHER_RELEASED, runReleased -> end(runReleased.run()));
    streamPorts.on(Streams.PUBLISHER_KEEP_ALIVE, runKeepAlive -> {}); // To be heard is all.
    offers = streamPorts.out(Streams.OFFERS);
    streamPorts.on(Streams.OFFERS, this::offered);
    requests = streamPorts.out(Streams.REQUESTS);
    streamPorts.on(Streams.REQUESTS, request -> asked.add(request));
    stories = streamPorts.out(Streams.STORIES);
    streamPorts.on(Streams.STORIES, this::told);
    closed = streamPorts.out(Streams.LOOPS_CLOSED);
    streamPorts.on(Streams.LOOPS_CLOSED, this::closed);
    streamPorts.onAnyPayload(this::heard);
  }

  @Override
  void start(TaskContext taskContext) {
    dropped = new RateLimitedLog(System.nanoTime());
    broker =
        BrokerConnection.open(
            serializedSettings.unpack().broker(), "service, answers", BrokerListener.NONE);
    closingThread =
        Executors.newSingleThreadExecutor(new DefaultThreadFactory("publisher-closings", true));
    start(
        taskContext,
        this::publish,
        new PauseTolerantClock(System::nanoTime),
        closingThread,
        RecordedPath::withLoopsClosed);
  }

  /**
   * Starts with answers leaving by {@code by}, and the time by {@code awake}.
   *
   * @param elsewhere runs what would hold up all robots here
   * @param closer gives a course with its loops closed
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

  /** Words about a run come late when a later one has begun; they are of no use then. */
  private void dispatch(Payload word, Consumer<RunPublisher> story) {
    Witness witness = witnesses.begin(word.run(), this::begin);
    if (witness != null) {
      witness.hear(story);
    }
  }

  /**
   * A word about a reading, or the end; who hears it, and did not hear of the run's beginning,
   * cannot have its paths.
   *
   * @param begins true if nothing can have been said of the run before
   */
  private void dispatch(Payload word, boolean begins, Consumer<RunPublisher> story) {
    dispatch(
        word,
        runPublisher -> {
          if (begins) {
            runPublisher.begin();
          } else if (!runPublisher.hasBegun()) {
            comeLate(runPublisher);
          }
          story.accept(runPublisher);
        });
  }

  private void comeLate(RunPublisher runPublisher) {
    lose(runPublisher, "The paths until then were lost with a process");
  }

  /** What publishers say to each other does not show that anybody else still speaks of the run. */
  private void heard(Payload word) {
    if (!(word instanceof AmongPublishers)) {
      idleRunDetector.recordMessage(word.run());
    }
  }

  /**
   * Another has the run's paths. Of a run whose beginning was not heard here it must say so twice:
   * the run's first word may be on its way. And of one that is over it may not have heard that yet.
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
   * Tells one story: a large one takes a second, and robots wait for their poses. What was said
   * before the question has come here by now, most likely, for a tick has passed.
   */
  private void tellOneStory() {
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
      LOG.warn("publisher {} was not told what it missed: {}", request.publisher(), request, e);
    }
  }

  private void told(AmongPublishers.Story story) {
    Witness witness = witnesses.get(story.run());
    if (witness == null || witness.chronicle().lost().isEmpty()) {
      return;
    }
    witness.told(story, chronicle(story.run(), false));
    LOG.info("{}: publisher {} was told what it had missed", story.run(), task);
  }

  /** The best time for a map: the answer has left, and the tasks are busy with the next reading. */
  private void served(Payload.Served word) {
    dispatch(word, of -> of.served(word));
    drawTheMapThatIsDue();
  }

  /** Robots that stand still get their map as well. */
  @Override
  void tick() {
    clock.tick();
    idleRunDetector.tick().forEach(this::end);
    tellOneStory();
    for (Witness witness : witnesses.all()) {
      RunPublisher runPublisher = witness.chronicle();
      attempts.runGuarded(runPublisher.run(), runPublisher::watch);
      if (!isOnlyOne()) {
        sayWhetherItFollows(runPublisher);
      }
    }
    drawTheMapThatIsDue();
  }

  private void sayWhetherItFollows(RunPublisher runPublisher) {
    boolean follows = runPublisher.follows();
    if (follows || !runPublisher.lost().isEmpty()) {
      sayFollowing(runPublisher);
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
    chronicles()
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

  /** Says no more of the run, unless it is told to because nobody knows better. */
  private void lose(RunPublisher runPublisher, String sentence) {
    if (!isOnlyOne()) {
      runPublisher.setActive(false);
    }
    runPublisher.fail(sentence);
    sayFollowing(runPublisher);
  }

  private void sayFollowing(RunPublisher runPublisher) {
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
    return new Witness(chronicle(run, task == 0), isOnlyOne());
  }

  private RunPublisher chronicle(Run run, boolean speaks) {
    return new RunPublisher(
        run,
        settings,
        matchers,
        envelopeSink,
        clock,
        speaks,
        recordedPath -> close(run, recordedPath));
  }

  /**
   * No more wait for their turn than runs have ended. The job's thread emits that it is done, as
   * {@link BspExchange}'s do.
   */
  private LoopClosureJob close(Run run, RecordedPath recordedPath) {
    AmongPublishers.LoopClosureDone word = new AmongPublishers.LoopClosureDone(run);
    LoopClosureJob loopClosureJob =
        new LoopClosureJob(run, recordedPath, closer, () -> closed.emit(task, word));
    elsewhere.execute(loopClosureJob);
    return loopClosureJob;
  }

  /** The run may be over, or have lost its paths, meanwhile. */
  private void closed(AmongPublishers.LoopClosureDone word) {
    Witness witness = witnesses.get(word.run());
    if (witness != null) {
      witness.chronicle().closed();
    }
  }

  private Stream<RunPublisher> chronicles() {
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
    if (closingThread != null) {
      closingThread.shutdownNow();
    }
    if (witnesses != null) {
      chronicles().forEach(RunPublisher::close);
    }
  }
}
