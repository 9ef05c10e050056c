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
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.slam.filter.Course;
import org.cartostream.topology.Payload.AmongPublishers;
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
 * is over, the time of the next map of whichever robot, the {@link AwakeClock}, the thread that
 * closes the loops of runs that have ended, one after another, and the connection by which answers
 * leave. What the connection does not take, because the broker has been away for long, is dropped
 * with a warning: a robot asks again for what it misses.
 */
final class PublisherBolt extends Bolt<Party.Publisher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PublisherBolt.class);

  /** All maps together may take one part in this many of the publisher's time. */
  private static final int SHARE_OF_MAPS = 10;

  private final Shipped<ServiceSettings> shipped;

  private transient Ports<Party.Publisher> attempts;
  private transient Outlet<Payload.Following> following;
  private transient Outlet<Payload.Remembered> remembered;
  private transient Outlet<AmongPublishers.Offer> offers;
  private transient Outlet.Direct<AmongPublishers.Request> requests;
  private transient Outlet.Direct<AmongPublishers.Story> stories;
  private transient Outlet.Direct<AmongPublishers.Closed> closed;
  private transient ServiceSettings settings;
  private transient int task;
  private transient int matchers;
  private transient BrokerConnection broker;
  private transient Lectern.Mouth mouth;
  private transient ExecutorService closingThread;
  private transient Executor elsewhere;
  private transient UnaryOperator<Course> closer;
  private transient Latest<Witness> witnesses;
  private transient Silence silence;
  private transient Set<AmongPublishers.Request> asked;
  private transient Map<String, Run> offeredOnce;
  private transient Map<String, Run> over;
  private transient long nextMapAt;
  private transient AwakeClock clock;
  private transient Seldom dropped;

  PublisherBolt(Shipped<ServiceSettings> shipped) {
    this.shipped = shipped;
  }

  @Override
  void wire(Ports<Party.Publisher> ports) {
    following = ports.out(Streams.FOLLOWING);
    ports.onFailure(this::failed);
    attempts = ports;
    ports.on(Streams.PUBLISHER_RECALLS, this::recall);
    remembered = ports.out(Streams.REMEMBERED);
    ports.on(Streams.RESUMED, word -> tell(word, of -> of.resumed(word)));
    ports.on(Streams.SPEAKERS, word -> tell(word, of -> of.speak(word.publisher() == task)));
    ports.on(
        Streams.ADMITTED, word -> tell(word, word.step().sequence() <= 1, of -> of.admitted(word)));
    ports.on(Streams.JUDGEMENTS, word -> tell(word, of -> of.judged(word)));
    ports.on(Streams.AGREEMENTS, word -> tell(word, of -> of.judged(word)));
    ports.on(Streams.SETTLED, word -> tell(word, of -> of.judged(word)));
    ports.on(Streams.PUBLISHER_REBIRTHS, word -> tell(word, of -> of.reborn(word)));
    ports.on(Streams.SERVED, this::served);
    ports.on(Streams.TURNED, word -> tell(word, word.sequence() <= 1, of -> of.turned(word)));
    ports.on(Streams.MISSING, word -> tell(word, word.sequence() <= 1, of -> of.missing(word)));
    ports.on(Streams.AGAIN, word -> tell(word, false, of -> of.again(word)));
    ports.on(Streams.ENDED, word -> tell(word, word.sequence() == 0, of -> of.ended(word)));
    ports.on(Streams.PUBLISHER_OVER, over -> end(over.run()));
    ports.on(Streams.PUBLISHER_ALIVE, alive -> {}); // To be heard is all.
    offers = ports.out(Streams.OFFERS);
    ports.on(Streams.OFFERS, this::offered);
    requests = ports.out(Streams.REQUESTS);
    ports.on(Streams.REQUESTS, request -> asked.add(request));
    stories = ports.out(Streams.STORIES);
    ports.on(Streams.STORIES, this::told);
    closed = ports.out(Streams.CLOSED);
    ports.on(Streams.CLOSED, this::closed);
    ports.onAnything(this::heard);
  }

  @Override
  void start(Place place) {
    dropped = new Seldom(System.nanoTime());
    broker =
        BrokerConnection.open(shipped.unpack().broker(), "service, answers", BrokerListener.NONE);
    closingThread =
        Executors.newSingleThreadExecutor(new DefaultThreadFactory("publisher-closings", true));
    start(place, this::publish, new AwakeClock(System::nanoTime), closingThread, Course::closed);
  }

  /**
   * Starts with answers leaving by {@code by}, and the time by {@code awake}.
   *
   * @param elsewhere runs what would hold up all robots here
   * @param closer gives a course with its loops closed
   */
  void start(
      Place place,
      Lectern.Mouth by,
      AwakeClock awake,
      Executor elsewhere,
      UnaryOperator<Course> closer) {
    this.elsewhere = elsewhere;
    this.closer = closer;
    clock = awake;
    settings = shipped.unpack();
    task = place.task();
    matchers = place.matchers();
    witnesses = new Latest<>();
    silence = new Silence(settings.topology());
    asked = new LinkedHashSet<>();
    offeredOnce = new HashMap<>();
    over = new HashMap<>();
    mouth = by;
    nextMapAt = System.nanoTime();
  }

  /** Words about a run come late when a later one has begun; they are of no use then. */
  private void tell(Payload word, Consumer<Chronicle> story) {
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
  private void tell(Payload word, boolean begins, Consumer<Chronicle> story) {
    tell(
        word,
        chronicle -> {
          if (begins) {
            chronicle.begin();
          } else if (!chronicle.hasBegun()) {
            comeLate(chronicle);
          }
          story.accept(chronicle);
        });
  }

  private void comeLate(Chronicle chronicle) {
    lose(chronicle, "The paths until then were lost with a process");
  }

  /** What publishers say to each other does not show that anybody else still speaks of the run. */
  private void heard(Payload word) {
    if (!(word instanceof AmongPublishers)) {
      silence.heard(word.run());
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
      silence.hearsOf(run, offer.silence());
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
    tell(word, of -> of.served(word));
    drawTheMapThatIsDue();
  }

  /** Robots that stand still get their map as well. */
  @Override
  void tick() {
    clock.tick();
    silence.tick().forEach(this::end);
    tellOneStory();
    for (Witness witness : witnesses.all()) {
      Chronicle chronicle = witness.chronicle();
      attempts.attempt(chronicle.run(), chronicle::watch);
      if (!isOnlyOne()) {
        sayWhetherItFollows(chronicle);
      }
    }
    drawTheMapThatIsDue();
  }

  private void sayWhetherItFollows(Chronicle chronicle) {
    boolean follows = chronicle.follows();
    if (follows || !chronicle.lost().isEmpty()) {
      sayFollowing(chronicle);
    }
    if (follows && chronicle.hasStory()) {
      long since = silence.since(chronicle.run());
      offers.emit(new AmongPublishers.Offer(chronicle.run(), task, since));
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
            chronicle -> {
              attempts.attempt(chronicle.run(), chronicle::drawMap);
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
    silence.hearsOf(run, 0); // After a while nobody will offer it any more.
  }

  private void failed(Run run, Throwable how) {
    Witness witness = witnesses.get(run);
    if (witness != null) {
      lose(witness.chronicle(), Payload.Failed.of(run, Party.Publisher.class, how).sentence());
    }
  }

  /** Says no more of the run, unless it is told to because nobody knows better. */
  private void lose(Chronicle chronicle, String sentence) {
    if (!isOnlyOne()) {
      chronicle.speak(false);
    }
    chronicle.fail(sentence);
    sayFollowing(chronicle);
  }

  private void sayFollowing(Chronicle chronicle) {
    following.emit(
        new Payload.Following(chronicle.run(), task, chronicle.speaks(), chronicle.lost()));
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

  private Chronicle chronicle(Run run, boolean speaks) {
    return new Chronicle(
        run, settings, matchers, mouth, clock, speaks, course -> close(run, course));
  }

  /**
   * No more wait for their turn than runs have ended. Storm's collector takes the word that one is
   * done from any thread, see {@link Circle}.
   */
  private Closing close(Run run, Course course) {
    AmongPublishers.Closed word = new AmongPublishers.Closed(run);
    Closing closing = new Closing(run, course, closer, () -> closed.emit(task, word));
    elsewhere.execute(closing);
    return closing;
  }

  /** The run may be over, or have lost its paths, meanwhile. */
  private void closed(AmongPublishers.Closed word) {
    Witness witness = witnesses.get(word.run());
    if (witness != null) {
      witness.chronicle().closed();
    }
  }

  private Stream<Chronicle> chronicles() {
    return witnesses.all().stream().map(Witness::chronicle);
  }

  private void publish(Envelope envelope) {
    try {
      if (!broker.publish(envelope)) {
        dropped.happens(
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
      chronicles().forEach(Chronicle::close);
    }
  }
}
