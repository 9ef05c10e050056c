package org.cartostream.topology;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Step;
import org.cartostream.topology.Payload.Arrival;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the readings of one run into its filter: each once, in the order of their numbers, and each
 * while the one before is still being processed, so that a task that is done with it need not wait
 * for the others.
 *
 * <p>Owns what has come of the run so far: the {@link Lineup} of what waits, what is {@link
 * Underway}, the {@link Intake}, the {@link Vigil} and the {@link Rostrum}; whether its end was
 * passed on, and why it cannot go on.
 */
final class Admission {

  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  /**
   * Readings in the filter at a time: one that the tasks work on, and one for those that are done
   * or wait. More would have to wait at the tasks.
   */
  static final int MOST_SERVING = 2;

  /** So often it is said that the run lives in the time after which a silent robot is forgotten. */
  private static final int WORDS_A_TIMEOUT = 4;

  private final Run run;
  private final TopologySettings settings;
  private final int matchers;
  private final DispatcherVoice voice;

  /** Null if the run's particles are gone. */
  private Intake intake;

  private final Lineup lineup;
  private final Underway underway;
  private final Vigil vigil;
  private final Rostrum rostrum;

  /** True if all were told that nothing follows. */
  private boolean ended;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  // Moments by the dispatcher's AwakeClock, as is each `now` here.
  private long heardAt;
  private long movedAt;
  private long aliveAt;

  Admission(
      Run run,
      FilterSettings filter,
      TopologySettings settings,
      int matchers,
      DispatcherVoice voice,
      long now) {
    this.run = run;
    this.aliveAt = now;
    this.settings = settings;
    this.matchers = matchers;
    this.voice = voice;
    this.intake = new Intake(filter);
    this.lineup = new Lineup(run, settings, voice);
    this.underway = new Underway(run, voice);
    this.vigil = new Vigil(run, filter.particles(), settings, matchers, voice);
    this.rostrum = new Rostrum(run, settings, voice.speakers()::emit);
  }

  Run run() {
    return run;
  }

  /**
   * Goes on with a run whose dispatcher has died; without particles only to its end, if no reading
   * is to come.
   *
   * @param known what the others know of it
   * @param roundsBefore no less than the rounds of questions that there were
   */
  void goOn(Recollection known, long roundsBefore, FilterSettings filter, long now) {
    voice.alive(run); // The resampler, too, is to hear nothing any more of the one before.
    lineup.goOnAfter(known.settled());
    heardAt = now;
    movedAt = now;
    if (known.hasParticles()) {
      intake = Intake.after(filter, known.last());
    } else if (!known.hasNotBegun()) {
      intake = null;
    }
    vigil.goOn(known.generation(), roundsBefore);
    rostrum.name(known.speaker());
    missWhatNobodyHeardOf(known);
    for (Step step : known.steps()) {
      voice.admitted().emit(new Payload.Admitted(run, step, 0, vigil.generation()));
    }
    List<Step> open = known.open();
    for (Step step : open) {
      Serving reading = new Serving(step.sequence(), step.stampNanos(), matchers);
      reading.isKeyFrame(step);
      underway.add(reading, now);
    }
    long[] numbers = open.stream().mapToLong(Step::sequence).toArray();
    voice.resumed().emit(new Payload.Resumed(run, lineup.settled(), numbers));
    if (!open.isEmpty()) {
      vigil.alarm(open, now);
    }
  }

  /** What was said of it died with the dispatcher, while what was said of a later one did not. */
  private void missWhatNobodyHeardOf(Recollection known) {
    for (long each = known.heard() + 1; each <= lineup.settled(); each++) {
      long sequence = each;
      if (known.steps().stream().noneMatch(step -> step.sequence() == sequence)) {
        String sentence = "Reading " + each + " was lost with a process";
        voice.miss(run, each, known.last().stampNanos(), sentence);
      }
    }
  }

  /** Takes what the robot says; what was heard before does not reach the filter again. */
  void hear(Arrival arrival, long now) {
    heardAt = now;
    movedAt = now;
    boolean isReading = arrival instanceof Arrival.OfReading;
    if (ended && !isReading) {
      sayEnd(arrival);
    } else if (!isReading || !underway.has(arrival.sequence())) {
      lineup.hear(arrival, underway.size());
    }
    String leap = lineup.leap();
    if (!leap.isEmpty()) {
      breakOff(leap);
    }
    serveNext(now);
  }

  private void serveNext(long now) {
    while (!vigil.isMending() && underway.size() < MOST_SERVING && lineup.hasNext()) {
      serve(lineup.next(), now);
    }
    if (!ended && underway.isEmpty()) {
      lineup.end().ifPresent(this::finish);
    }
  }

  private void serve(Arrival.OfReading arrival, long now) {
    if (intake == null) {
      breakOff(
          "The particles were lost when processes died, or tasks that may have some did not say so"
              + " within "
              + settings.readingTimeoutSeconds()
              + " s");
    }
    if (!broken.isEmpty()) {
      voice.miss(run, arrival.sequence(), arrival.stampNanos(), broken);
      return;
    }
    underway.add(new Serving(arrival.sequence(), arrival.stampNanos(), matchers), now);
    Intake.Decision decision = intake.decide(arrival.sequence(), arrival.reading());
    if (decision instanceof Intake.Decision.Refuse refuse) {
      underway.dropLast();
      voice.turn(run, arrival, refuse.why());
    } else if (decision instanceof Intake.Decision.Take take) {
      admit(take.step(), arrival.heldMap(), now);
    }
  }

  private void admit(Step step, long heldMap, long now) {
    voice.admitted().emit(new Payload.Admitted(run, step, heldMap, vigil.generation()));
    if (step.keyFrame()) {
      underway.lastIsKeyFrame(step);
      voice.keyFrames().emit(new Payload.KeyFrame(run, step));
    }
    sayServed(now);
  }

  /** A task is done with its share of a reading that is being processed. */
  void ready(Payload.Ready by, long now) {
    underway.ready(by);
    sayServed(now);
    serveNext(now);
  }

  private void sayServed(long now) {
    if (underway.sayServed(now)) {
      movedAt = now;
    }
    if (underway.isEmpty()) {
      vigil.allServed();
    }
  }

  /** A tick: looks at the time. Who may have died is asked, and what takes too long is given up. */
  void watch(long now) {
    sayAlive(now);
    rostrum.tick();
    long timeoutNanos = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
    boolean idle = underway.isEmpty() && !vigil.isMending();
    long age = idle ? 0 : now - openSince();
    if (age > timeoutNanos) {
      breakOff(
          "Particles were lost, as when a process dies: reading "
              + (underway.isEmpty() ? lineup.settled() : underway.first().sequence())
              + " was not processed within "
              + settings.readingTimeoutSeconds()
              + " s");
    } else if (!idle) {
      vigil.watch(underway.keyFrames(), age, now);
    } else if (!ended && now - movedAt > timeoutNanos) {
      lineup.giveUpGap();
    }
    serveNext(now);
  }

  /** The others hear nothing else of a robot that stands still, see {@link Silence}. */
  private void sayAlive(long now) {
    long pauseNanos = TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / WORDS_A_TIMEOUT;
    if (canGoOn() && now - aliveAt > pauseNanos) {
      voice.alive(run);
      aliveAt = now;
    }
  }

  private long openSince() {
    long since = underway.firstSince();
    return underway.isEmpty() ? Math.max(since, vigil.begunAt()) : since;
  }

  /** A task has found out that the others will not bring what it needs for a key frame. */
  void bereft(Payload.Bereft word, long now) {
    List<Step> open = underway.keyFrames();
    if (broken.isEmpty() && open.stream().anyMatch(s -> s.sequence() == word.sequence())) {
      vigil.alarm(open, now);
    }
  }

  /** A task has answered who is there. */
  void present(Payload.Present answer, long now) {
    vigil.heard(answer);
    goOn(now);
  }

  /** A task has its particles again. */
  void reborn(Payload.Reborn answer, long now) {
    vigil.heard(answer);
    goOn(now);
  }

  /** A publisher has the run's paths, or has not; if none has, the run cannot go on. */
  void following(Payload.Following word, long now) {
    rostrum.hear(word);
    if (rostrum.isHopeless() && canGoOn()) {
      LOG.warn("{} is given up: {}", run, word.lost());
      fail(word.lost(), now);
    }
  }

  private void goOn(long now) {
    if (!vigil.hopeless().isEmpty()) {
      breakOff(vigil.hopeless());
    } else if (vigil.hasMended()) {
      underway.settle();
      sayServed(now);
    }
    serveNext(now);
  }

  /**
   * The run cannot go on. What is open, and what still comes, is lost; whoever computes lets go.
   *
   * @param why for people
   */
  void fail(String why, long now) {
    breakOff(why);
    serveNext(now);
  }

  private void breakOff(String why) {
    if (!canGoOn()) {
      return;
    }
    broken = why;
    lineup.close();
    vigil.rest();
    voice.release(run);
    underway.takeAll().forEach(lost -> voice.miss(run, lost.sequence(), lost.stampNanos(), why));
  }

  /** True if another reading would be processed, or the end answered with a path and a map. */
  boolean canGoOn() {
    return !ended && broken.isEmpty();
  }

  /** Nanoseconds since the robot's last word. */
  long silentNanos(long now) {
    return now - heardAt;
  }

  /** Tells everyone to let go of the run. */
  void forget() {
    voice.release(run);
    voice.publisherOver().emit(new Payload.Over(run));
  }

  private void finish(Arrival end) {
    ended = true;
    sayEnd(end);
    voice.release(run);
  }

  private void sayEnd(Arrival arrival) {
    voice
        .ended()
        .emit(
            new Payload.Ended(
                run, arrival.sequence(), arrival.stampNanos(), arrival.heldMap(), broken));
  }
}
