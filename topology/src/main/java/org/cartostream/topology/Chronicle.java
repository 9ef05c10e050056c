package org.cartostream.topology;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.PoseMessage;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.filter.Course;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.topology.Payload.AmongPublishers;

/**
 * The story of one run: what became of its readings, and of the paths of its particles.
 *
 * <p>Owns the run's {@link Paths} until the farewell, the {@link Closing} of the best one before
 * that, the {@link Docket} of its readings, its maps' {@link MapPost}, and the {@link Lectern} from
 * which the robot is told. Dispatcher and resampler write to it in no common order: a reading
 * enters the lineage when it was admitted and, if a key frame, judged, in the order of admission;
 * it is answered when it has entered and was served.
 */
final class Chronicle {

  /** So long a verdict may be on its way while another publisher has it. */
  private static final int PATIENCE_SECONDS = 2;

  private final Run run;
  private final TopologySettings settings;
  private final FilterSettings filter;
  private final AwakeClock clock;
  private final Tally tally;
  private final Lectern lectern;
  private final MapPost maps;
  private final Function<Course, Closing> closer;
  private final Docket docket = new Docket();

  /** Null after the farewell, and if they are lost. */
  private Paths paths;

  /** Null until the run is done, and as soon as the paths are gone. */
  private Closing closing;

  /** False until it has heard of the run's first reading. */
  private boolean begun;

  private boolean lostPaths;

  /** How often the run has begun again, and the round of the questions after which it did last. */
  private int generation;

  private long reborn;

  /** Why the run broke, for people; empty if it did not. */
  private String failure = "";

  private boolean hasPath;

  /** Null until it has heard that nothing follows. */
  private Payload.Ended end;

  /**
   * @param tasks how many hold particles
   * @param clock of the publisher
   * @param speaks whether it speaks to the robot, until it is told
   * @param closer begins a closing, and says {@link #closed} when it is done
   */
  Chronicle(
      Run run,
      ServiceSettings settings,
      int tasks,
      Lectern.Mouth mouth,
      AwakeClock clock,
      boolean speaks,
      Function<Course, Closing> closer) {
    this.run = run;
    this.clock = clock;
    this.closer = closer;
    this.settings = settings.topology();
    this.tally = new Tally(run.robot(), tasks, settings.topology().workers() == 1, speaks);
    this.lectern = new Lectern(run, mouth, clock, speaks);
    this.maps = new MapPost(run, settings.topology(), settings.broker().maxMessageBytes());
    this.filter = settings.filter();
    this.paths = new Paths(filter);
  }

  Run run() {
    return run;
  }

  /** Hears of the run's beginning. */
  void begin() {
    begun = true;
  }

  /** True if it has heard of the run's beginning, or knows already that it has not its paths. */
  boolean hasBegun() {
    return begun || lostPaths;
  }

  /** True if it can tell the story: it has the paths, and they have not left at the end. */
  boolean hasStory() {
    return hasPaths() && paths != null;
  }

  /** The story so far, for one that has lost it or came late; none after the end. */
  Optional<AmongPublishers.Story> story() {
    return hasStory()
        ? Optional.of(
            new AmongPublishers.Story(
                run,
                generation,
                reborn,
                paths.known(),
                docket.known(),
                lectern.answers(),
                tally.known()))
        : Optional.empty();
  }

  /** Goes on with the story as another has told it; this one has heard nothing yet. */
  void goOn(AmongPublishers.Story story) {
    begun = true;
    generation = story.generation();
    reborn = story.reborn();
    paths = new Paths(filter, story.paths());
    docket.goOn(story.docket(), clock.nanos());
    lectern.goOn(story.answers());
    tally.goOn(story.tally());
    story.paths().lineage().latest().ifPresent(this::entered);
  }

  /** True if it has the run's paths, and lacks nothing for long, so that it could speak. */
  boolean follows() {
    long now = clock.nanos();
    return hasPaths()
        && docket.open().stream().noneMatch(each -> each.lacksVerdict(PATIENCE_SECONDS, now));
  }

  /** True if it has all paths from the run's beginning, or had them when they left at the end. */
  boolean hasPaths() {
    return begun && !lostPaths;
  }

  /** Why it has not the paths, or not any more, for people; empty if it has them. */
  String lost() {
    return lostPaths ? failure : "";
  }

  boolean speaks() {
    return lectern.speaks();
  }

  /** It speaks to the robot from now on, or another does; whoever does shows the figures. */
  void speak(boolean toRobot) {
    if (toRobot != lectern.speaks()) {
      tally.show(toRobot);
      lectern.speak(toRobot);
    }
  }

  /**
   * @throws IllegalStateException if a word was lost on its way, so that the paths would be wrong
   */
  void admitted(Payload.Admitted word) {
    Step step = word.step();
    maps.robotHolds(word.heldMap());
    requireGeneration(word.generation());
    if (docket.hasAdmitted(step.sequence())) {
      return; // A new dispatcher cannot know whether its word had arrived.
    }
    long unheard = docket.firstUnheard(step.sequence() - 1, lectern::mayHaveAnswered);
    docket.admit(step);
    requireHeard(unheard == 0, unheard);
    enterWhatCan();
  }

  /** It has heard as often that the run began again. */
  private void requireGeneration(int heard) {
    if (heard > generation && !lostPaths) {
      throw new IllegalStateException("nothing was heard of particles that were lost");
    }
  }

  private void requireHeard(boolean heard, long sequence) {
    if (!heard && !lostPaths) {
      throw new IllegalStateException("nothing was heard of reading " + sequence);
    }
  }

  void judged(Payload.Judgement judgement) {
    if (paths != null) {
      paths.judged(judgement);
      enterWhatCan();
    }
  }

  void reborn(Payload.Rebirth word) {
    if (word.round() <= reborn && word.generation() <= generation) {
      return; // It is in the story that another told.
    }
    requireGeneration(word.generation() - 1);
    tally.rebuilt(word.lost());
    generation = word.generation();
    reborn = word.round();
    if (paths != null) {
      paths.reborn(word);
    }
  }

  /**
   * @throws IllegalStateException if a word was lost on its way: that the reading was admitted
   */
  void served(Payload.Served by) {
    requireHeard(!begun || docket.hasAdmitted(by.sequence()), by.sequence());
    tally.served(by);
    OpenReading reading = docket.open(by.sequence());
    if (reading != null) {
      reading.served(by.serviceNanos(), clock.nanos());
      answerIfDone(reading);
    }
    sayFarewellIfDone();
  }

  void turned(Payload.Turned turned) {
    answer(
        turned.sequence(),
        turned.stampNanos(),
        new Outcome.Refused(turned.refusal(), turned.sentence()));
  }

  void missing(Payload.Missing missing) {
    OpenReading reading = docket.close(missing.sequence());
    if (paths != null && paths.drop(missing.sequence())) {
      requireHeard(reading != null, missing.sequence());
    }
    if (reading == null || !reading.hasEntered()) {
      answer(missing.sequence(), missing.stampNanos(), new Outcome.Lost(missing.sentence()));
    } else {
      // It is on the path already; only the next reading finds no particles to go on with.
      long gaveUpAfter = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
      answer(missing.sequence(), missing.stampNanos(), reading.processed(gaveUpAfter));
    }
    sayFarewellIfDone();
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
    enterWhatCan();
  }

  /**
   * Says again what was said; what was never heard of, because a later number came first, is lost.
   * The dispatcher is done with what is open here, so its word that said so was lost.
   *
   * @throws IllegalStateException if others may have heard of it
   */
  void again(Payload.Again again) {
    long sequence = again.sequence();
    if (lectern.answerAgain(sequence)) {
      return;
    }
    if (docket.open(sequence) != null) {
      markServed(docket.open(sequence));
      sayFarewellIfDone();
    } else if (!lectern.mayHaveAnswered(sequence)) {
      requireHeard(settings.publishers() == 1, sequence);
      answer(
          sequence,
          again.stampNanos(),
          new Outcome.Lost("Reading " + sequence + " came after a later one"));
    }
  }

  /**
   * @throws IllegalStateException if a word was lost on its way, so that the path would have a gap
   */
  void ended(Payload.Ended ended) {
    end = ended;
    maps.robotHolds(ended.heldMap());
    if (!ended.failure().isEmpty()) {
      failure = ended.failure(); // What came of it here came later.
    }
    if (lectern.hasBidFarewell()) {
      lectern.sayFarewellAgain();
      return;
    }
    if (closing != null && hasPath) {
      // A gateway that hears nothing for long gives up.
      lectern.say(ended.sequence(), ended.stampNanos(), new PoseMessage(paths.current()));
    }
    if (ended.failure().isEmpty()) {
      long unheard = docket.firstUnheard(ended.sequence(), lectern::mayHaveAnswered);
      requireHeard(unheard == 0, unheard);
    }
    docket.open().forEach(this::markServed);
    sayFarewellIfDone();
  }

  /**
   * What a new dispatcher is to know.
   *
   * @param ended numbers of runs of the robot that were over before
   */
  Payload.Remembered remembered(int publisher, long[] ended) {
    long[] unjudged =
        docket.open().stream()
            .filter(reading -> paths != null && !reading.hasEntered())
            .filter(reading -> !paths.canEnter(reading.step()))
            .mapToLong(OpenReading::sequence)
            .toArray();
    long settled = Math.max(docket.latestAdmitted(), lectern.latestAnswered());
    return new Payload.Remembered(
        run, publisher, false, ended, hasPaths(), settled, unjudged, hasPath);
  }

  /** A new dispatcher goes on. */
  void resumed(Payload.Resumed word) {
    docket.resume(word).forEach(this::markServed);
    sayFarewellIfDone();
  }

  private void markServed(OpenReading reading) {
    reading.served(clock.nanos());
    answerIfDone(reading);
  }

  private void enterWhatCan() {
    for (OpenReading reading : docket.open()) {
      Step step = reading.step();
      if (paths == null) {
        docket.close(step.sequence());
        answer(step.sequence(), step.stampNanos(), new Outcome.Lost(failure));
      } else if (!reading.hasEntered()) {
        if (!paths.canEnter(step)) {
          return;
        }
        enter(reading);
        answerIfDone(reading);
      }
    }
    sayFarewellIfDone();
  }

  private void enter(OpenReading reading) {
    long start = System.nanoTime();
    Step step = reading.step();
    tally.admitted(step);
    paths.enter(step).ifPresent(judgement -> takeNote(judgement, step));
    Pose pose = paths.current();
    reading.enter(pose, paths.effectiveSampleSize(), paths.entropy());
    lectern.say(step.sequence(), step.stampNanos(), new PoseMessage(pose));
    tally.published(System.nanoTime() - start);
  }

  private void takeNote(Payload.Judgement judgement, Step keyFrame) {
    tally.judged(judgement);
    entered(keyFrame);
  }

  private void entered(Step keyFrame) {
    maps.changedBy(keyFrame);
    hasPath = true;
  }

  private void answerIfDone(OpenReading reading) {
    if (reading.isDone()) {
      docket.close(reading.sequence());
      answer(reading.sequence(), reading.step().stampNanos(), reading.processed());
    }
  }

  private void answer(long sequence, long stampNanos, Outcome outcome) {
    if (lectern.answer(sequence, stampNanos, outcome)) {
      tally.outcome(outcome);
    }
  }

  /**
   * Looks at the time: lets go of an old farewell.
   *
   * @throws IllegalStateException if a verdict does not come, without which no path goes on
   */
  void watch() {
    long now = clock.nanos();
    int seconds = settings.readingTimeoutSeconds();
    docket.open().forEach(reading -> reading.requireVerdict(seconds, now));
    if (lectern.watch()) {
      tally.close();
    }
  }

  /** True if it is time for a map. */
  boolean isMapDue(long nanoTime) {
    return lectern.speaks() && paths != null && maps.isDue(nanoTime);
  }

  /** Since when, by {@link System#nanoTime}. */
  long mapDueSince() {
    return maps.dueSince();
  }

  /** Draws the map that is due. */
  void drawMap() {
    long start = System.nanoTime();
    Step newest = maps.unmapped();
    paths
        .drawnBy(maps, newest.sequence())
        .ifPresent(map -> lectern.say(newest.sequence(), newest.stampNanos(), map));
    long now = System.nanoTime();
    tally.published(now - start);
    maps.drawn(now);
  }

  /** Nothing more is said of the run, and its figures are shown no more. */
  void close() {
    tally.close();
    letGoOfPaths();
  }

  private void letGoOfPaths() {
    paths = null;
    if (closing != null) {
      closing.cancel();
      closing = null;
    }
  }

  /** A closing is done; perhaps one that is not wanted any more. */
  void closed() {
    sayFarewellIfDone();
  }

  private void sayFarewellIfDone() {
    if (end == null || lectern.hasBidFarewell() || !docket.isEmpty()) {
      return;
    }
    if (paths == null) {
      sayFarewell(List.of());
      return;
    }
    long start = System.nanoTime();
    if (closing == null) {
      closing = closer.apply(paths.course());
    }
    Optional<List<Message>> last = closing.result().map(this::pathAndMap);
    tally.published(System.nanoTime() - start);
    last.ifPresent(this::sayFarewell);
  }

  private List<Message> pathAndMap(Closing.Result closed) {
    List<Message> words = new ArrayList<>(TrajectoryMessage.partsOf(closed.path()));
    tally.closed(closed.loops());
    closed.map().flatMap(maps::drawLast).ifPresent(words::add);
    failure =
        Stream.of(failure, closed.failure(), maps.tooLarge())
            .filter(each -> !each.isEmpty())
            .findFirst()
            .orElse("");
    return words;
  }

  private void sayFarewell(List<Message> pathAndMap) {
    List<Message> last = new ArrayList<>(pathAndMap);
    last.add(tally.report(failure));
    int keptSeconds = settings.farewellSeconds();
    String gone = "The map and the path were kept for " + keptSeconds + " s and are gone";
    Message afterwards = tally.report(failure.isEmpty() ? gone : failure);
    lectern.bidFarewell(end.sequence(), end.stampNanos(), last, afterwards, keptSeconds);
    letGoOfPaths();
  }
}
