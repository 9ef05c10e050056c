package org.cartostream.topology;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Asks all matchers and all publishers what they know of a run whose dispatcher has died, for its
 * successor: they have seen what was admitted.
 *
 * <p>Owns the answers, and what the robot says meanwhile: the end, and at most one reading more
 * than may wait, for the first of them need not. Readings that died with the dispatcher come again:
 * a gateway that waits in vain sends them again. Questions are asked again until all have answered,
 * for at most a reading's time.
 */
final class Recollection {

  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Run said;
  private final TopologySettings settings;
  private final DispatcherOutputs voice;
  private final long beganAt;
  private final Payload.Recalled[] matchers;
  private final NavigableMap<Long, Payload.Arrival> heard = new TreeMap<>();
  private final List<Payload.Arrival> ends = new ArrayList<>();
  private final Payload.Remembered[] publishers;
  private long askedAt;

  /**
   * @param said the run as the robot names it
   * @param matchers how many tasks hold particles
   * @param now by the dispatcher's {@link PauseTolerantClock}
   */
  Recollection(
      Run said, TopologySettings settings, int matchers, DispatcherOutputs voice, long now) {
    this.said = said;
    this.settings = settings;
    this.voice = voice;
    this.beganAt = now;
    this.matchers = new Payload.Recalled[matchers];
    this.publishers = new Payload.Remembered[settings.publishers()];
    ask(now);
  }

  private void ask(long now) {
    askedAt = now;
    voice.matcherRecalls.emit(new Payload.Recall(said));
    voice.publisherRecalls.emit(new Payload.Recall(said));
  }

  boolean isOf(Run run) {
    return said.isSameAs(run);
  }

  /** The robot says something; it is kept for later. */
  void hear(Payload.Arrival arrival) {
    if (arrival instanceof Payload.Arrival.OfEnd) {
      ends.clear();
      ends.add(arrival);
    } else if (heard.size() <= settings.waitingReadings()) {
      heard.putIfAbsent(arrival.sequence(), arrival);
    }
  }

  void heard(Payload.Recalled answer) {
    matchers[answer.task()] = answer;
  }

  void heard(Payload.Remembered answer) {
    publishers[answer.publisher()] = answer;
  }

  /** Looks at the time. */
  void watch(long now) {
    if (now - askedAt > ASK_AGAIN_NANOS) {
      ask(now);
    }
  }

  /** True if nobody need be waited for any more. */
  boolean isOver(long now) {
    return isComplete()
        || now - beganAt > TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
  }

  private boolean isComplete() {
    return haveAllMatchersAnswered() && Stream.of(publishers).allMatch(each -> each != null);
  }

  private boolean haveAllMatchersAnswered() {
    return Stream.of(matchers).allMatch(each -> each != null);
  }

  /** True if the run's paths are there. */
  boolean isKnown() {
    return publisher() != null;
  }

  /**
   * True if the run is not known, but another of the robot is. Then that one has begun since, for
   * publishers know the latest; or this one is to begin now, and its first word says so.
   */
  boolean isDisplaced() {
    return !isKnown() && Stream.of(publishers).anyMatch(each -> each != null && each.another());
  }

  /** True if it is no more than begun: to begin it again gives the same, and needs nobody. */
  boolean isAtItsFirst() {
    return isKnown() && heard() <= 1;
  }

  /** True if the run is over, and another of the robot has begun since. */
  boolean isEarlier() {
    return !isKnown() && ended().anyMatch(number -> number == said.number());
  }

  /** Numbers of other runs of the robot that are over, of which something may come late. */
  Set<Long> earlierRuns() {
    return ended().filter(number -> number != said.number()).boxed().collect(Collectors.toSet());
  }

  private LongStream ended() {
    return Stream.of(publishers)
        .filter(each -> each != null)
        .flatMapToLong(each -> LongStream.of(each.ended()));
  }

  /** Of the publishers that know the run, the one that knows most; null if none does. */
  private Payload.Remembered publisher() {
    return Stream.of(publishers)
        .filter(each -> each != null && each.run().order() > 0)
        .max(
            Comparator.comparing(Payload.Remembered::follows)
                .thenComparing(Payload.Remembered::settled))
        .orElse(null);
  }

  /** True if particles of the run are there, and all that had some have answered. */
  boolean hasParticles() {
    return knowing().findAny().isPresent();
  }

  /** True if nothing was let into the filter yet. */
  boolean hasNotBegun() {
    return haveAllMatchersAnswered()
        && publisher() != null
        && !hasParticles()
        && !publisher().hasPath();
  }

  private Stream<Payload.Recalled> knowing() {
    return haveAllMatchersAnswered() && publisher() != null
        ? Stream.of(matchers).filter(each -> each.run().equals(publisher().run()))
        : Stream.empty();
  }

  /** The run: in its place if it is known; until then as the robot names it. */
  Run run() {
    return isKnown() ? publisher().run() : said;
  }

  /** The greatest number that the publisher that is to speak has heard of. */
  long heard() {
    return publisher().settled();
  }

  /** The publisher that is to speak. */
  int speaker() {
    return publisher().publisher();
  }

  /**
   * The robot need send nothing again up to this number. A later reading was not admitted, or died
   * with the dispatcher on its way to the matchers, though the publisher had heard of it; there is
   * no verdict on such a key frame, and what follows it waits for that.
   */
  long settled() {
    long given = steps().stream().mapToLong(Step::sequence).max().orElse(0);
    return LongStream.of(publisher().unjudged())
        .filter(sequence -> sequence > given)
        .map(sequence -> sequence - 1)
        .min()
        .orElse(Math.max(publisher().settled(), given));
  }

  /** How often the run has begun again. */
  int generation() {
    return knowing().mapToInt(Payload.Recalled::generation).max().orElse(0);
  }

  /** The latest key frames, in their order. */
  Collection<Step> steps() {
    NavigableMap<Long, Step> steps = new TreeMap<>();
    knowing().flatMap(each -> Stream.of(each.steps())).forEach(s -> steps.put(s.sequence(), s));
    return steps.values();
  }

  /** The latest key frame; there is one if there are particles. */
  Step last() {
    List<Step> steps = new ArrayList<>(steps());
    return steps.get(steps.size() - 1);
  }

  /**
   * The key frames with which not all tasks are done, in their order. If the run was being mended,
   * the latest one at least: no task takes the next before that is done.
   */
  List<Step> open() {
    long done = knowing().mapToLong(Payload.Recalled::done).min().orElse(0);
    List<Step> open = steps().stream().filter(step -> step.sequence() > done).toList();
    boolean mending = knowing().anyMatch(Payload.Recalled::settled);
    return mending && open.isEmpty() ? List.of(last()) : open;
  }

  /** What the robot has said meanwhile, in its order. */
  List<Payload.Arrival> said() {
    List<Payload.Arrival> all = new ArrayList<>(heard.values());
    all.addAll(ends);
    return all;
  }
}
