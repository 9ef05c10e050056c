package org.cartostream.topology;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.Payload.Arrival;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the readings of one run into its filter: each once, in the order of their numbers, and each
 * while the one before is still being processed, so that a task that is done with it need not wait
 * for the others.
 *
 * <p>Owns what has come of the run so far: the numbers that are settled, what waits, what is {@link
 * Underway}, the {@link Intake}, and the {@link Rostrum}. Numbers run 1, 2, 3 … without a gap, and
 * the robot's credit bounds how far they are ahead; so a gap is waited for, and a leap shows that
 * this service does not know the run from its beginning.
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

  private final Vigil vigil;
  private final Rostrum rostrum;
  private final NavigableMap<Long, Arrival.OfReading> waiting = new TreeMap<>();
  private final Underway underway;

  /** Nobody waits for this number to come, nor for a smaller one. */
  private long settled;

  private Arrival end;
  private boolean ended;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  private long heardAt;
  private long movedAt;
  private long aliveAt = System.nanoTime();

  Admission(
      Run run,
      FilterSettings filter,
      TopologySettings settings,
      int matchers,
      DispatcherVoice voice) {
    this.run = run;
    this.settings = settings;
    this.matchers = matchers;
    this.voice = voice;
    this.intake = new Intake(filter);
    this.vigil = new Vigil(run, filter.particles(), settings, matchers, voice);
    this.underway = new Underway(run, voice);
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
  void goOn(Recollection known, long roundsBefore, FilterSettings filter, long nanoTime) {
    settled = known.settled();
    heardAt = nanoTime;
    movedAt = nanoTime;
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
      Serving reading = new Serving(step.sequence(), step.stampNanos(), nanoTime, matchers);
      reading.isKeyFrame(step);
      underway.add(reading);
    }
    long[] numbers = open.stream().mapToLong(Step::sequence).toArray();
    voice.resumed().emit(new Payload.Resumed(run, settled, numbers));
    if (!open.isEmpty()) {
      vigil.alarm(open, nanoTime);
    }
  }

  /** What was said of it died with the dispatcher, while what was said of a later one did not. */
  private void missWhatNobodyHeardOf(Recollection known) {
    for (long each = known.heard() + 1; each <= settled; each++) {
      long sequence = each;
      if (known.steps().stream().noneMatch(step -> step.sequence() == sequence)) {
        miss(each, known.last().stampNanos(), "Reading " + each + " was lost with a process");
      }
    }
  }

  /** Takes what the robot says; what was heard before does not reach the filter again. */
  void hear(Arrival arrival, long nanoTime) {
    heardAt = nanoTime;
    movedAt = nanoTime;
    if (arrival instanceof Arrival.OfReading reading) {
      hearReading(reading);
    } else if (ended) {
      sayEnd(arrival);
    } else if (end == null) {
      end = arrival;
      failOnLeap(end.sequence());
    }
    serveNext(nanoTime);
  }

  private void hearReading(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    boolean servedAtOnce = underway.isEmpty() && sequence == settled + 1;
    int ahead = waiting.size() + Math.max(0, underway.size() - 1);
    if (waiting.containsKey(sequence) || underway.has(sequence)) {
      return;
    }
    if (sequence <= settled) {
      voice.again().emit(new Payload.Again(run, sequence, reading.stampNanos()));
    } else if (ended || (end != null && sequence > end.sequence())) {
      turn(reading, TopologyRefusal.AFTER_THE_END.because("number " + sequence));
    } else if (ahead >= settings.waitingReadings() && !servedAtOnce) {
      turn(
          reading,
          TopologyRefusal.TOO_MANY_WAITING.because(ahead + " wait before number " + sequence));
    } else {
      waiting.put(sequence, reading);
      failOnLeap(sequence);
    }
  }

  /** The robot cannot be so far ahead of what was settled here. */
  private void failOnLeap(long sequence) {
    if (sequence > settled + settings.waitingReadings() + 1) {
      breakOff(
          "Number "
              + sequence
              + " came when "
              + (settled + 1)
              + " was next: this service has not seen all of the run. It was started in the"
              + " middle of it, or the robot was silent for more than "
              + settings.robotTimeoutSeconds()
              + " s, or another service takes readings from the same broker");
    }
  }

  private void serveNext(long nanoTime) {
    while (!vigil.isMending()
        && underway.size() < MOST_SERVING
        && !waiting.isEmpty()
        && isNext(waiting.firstKey())) {
      serve(waiting.pollFirstEntry().getValue(), nanoTime);
    }
    boolean nothingOpen = underway.isEmpty() && waiting.isEmpty();
    if (end != null && !ended && nothingOpen && isNext(end.sequence() + 1)) {
      finish();
    }
  }

  /** True if nothing before {@code sequence} is still to come. */
  private boolean isNext(long sequence) {
    return sequence <= settled + 1 || !broken.isEmpty();
  }

  private void serve(Arrival.OfReading arrival, long nanoTime) {
    settle(arrival);
    if (intake == null) {
      breakOff(
          "The particles were lost when processes died, or tasks that may have some did not say so"
              + " within "
              + settings.readingTimeoutSeconds()
              + " s");
    }
    if (!broken.isEmpty()) {
      miss(arrival.sequence(), arrival.stampNanos(), broken);
      return;
    }
    underway.add(new Serving(arrival.sequence(), arrival.stampNanos(), nanoTime, matchers));
    Intake.Decision decision = intake.decide(arrival.sequence(), arrival.reading());
    if (decision instanceof Intake.Decision.Refuse refuse) {
      underway.dropLast();
      turn(arrival, refuse.why());
    } else if (decision instanceof Intake.Decision.Take take) {
      admit(take.step(), arrival.heldMap());
    }
  }

  private void admit(Step step, long heldMap) {
    voice.admitted().emit(new Payload.Admitted(run, step, heldMap, vigil.generation()));
    if (step.keyFrame()) {
      underway.lastIsKeyFrame(step);
      voice.keyFrames().emit(new Payload.KeyFrame(run, step));
    }
    sayServed(System.nanoTime());
  }

  /** A task is done with its share of a reading that is being processed. */
  void ready(Payload.Ready by, long nanoTime) {
    underway.ready(by);
    sayServed(nanoTime);
    serveNext(nanoTime);
  }

  private void sayServed(long nanoTime) {
    if (underway.sayServed(nanoTime)) {
      movedAt = nanoTime;
    }
    if (underway.isEmpty()) {
      vigil.allServed();
    }
  }

  /** A tick: looks at the time. Who may have died is asked, and what takes too long is given up. */
  void watch(long nanoTime) {
    sayAlive(nanoTime);
    rostrum.tick();
    long timeoutNanos = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
    boolean idle = underway.isEmpty() && !vigil.isMending();
    long age = idle ? 0 : nanoTime - Math.max(underway.servedAt(), openSince());
    if (age > timeoutNanos) {
      breakOff(
          "Particles were lost, as when a process dies: reading "
              + (underway.isEmpty() ? settled : underway.first().sequence())
              + " was not processed within "
              + settings.readingTimeoutSeconds()
              + " s");
    } else if (!idle) {
      vigil.watch(underway.keyFrames(), age, nanoTime);
    } else if (!ended && nanoTime - movedAt > timeoutNanos) {
      closeGap();
    }
    serveNext(nanoTime);
  }

  /** Who computes hears nothing else of a robot that stands still, see {@link Silence}. */
  private void sayAlive(long nanoTime) {
    long pauseNanos = TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / WORDS_A_TIMEOUT;
    if (!ended && broken.isEmpty() && nanoTime - aliveAt > pauseNanos) {
      voice.alive(run);
      aliveAt = nanoTime;
    }
  }

  private long openSince() {
    return underway.isEmpty() ? vigil.begunAt() : underway.first().admitted();
  }

  /** A task has found out that the others will not bring what it needs for a key frame. */
  void bereft(Payload.Bereft word, long nanoTime) {
    List<Step> open = underway.keyFrames();
    if (broken.isEmpty() && open.stream().anyMatch(s -> s.sequence() == word.sequence())) {
      vigil.alarm(open, nanoTime);
    }
  }

  /** A task has answered who is there. */
  void present(Payload.Present answer, long nanoTime) {
    vigil.heard(answer);
    goOn(nanoTime);
  }

  /** A task has its particles again. */
  void reborn(Payload.Reborn answer, long nanoTime) {
    vigil.heard(answer);
    goOn(nanoTime);
  }

  /** A publisher has the run's paths, or has not; if none has, the run cannot go on. */
  void following(Payload.Following word, long nanoTime) {
    rostrum.hear(word);
    if (rostrum.isHopeless() && !ended && broken.isEmpty()) {
      LOG.warn("{} is given up: {}", run, word.lost());
      fail(word.lost(), nanoTime);
    }
  }

  private void goOn(long nanoTime) {
    if (!vigil.hopeless().isEmpty()) {
      breakOff(vigil.hopeless());
    } else if (vigil.hasMended()) {
      underway.settle();
      sayServed(nanoTime);
    }
    serveNext(nanoTime);
  }

  /** After an outage of the broker, what follows may come first; but not for ever. */
  private void closeGap() {
    if (waiting.isEmpty() && end == null) {
      return;
    }
    Arrival follows = waiting.isEmpty() ? end : waiting.firstEntry().getValue();
    long last = waiting.isEmpty() ? end.sequence() : follows.sequence() - 1;
    while (settled < last) {
      settled++;
      String sentence =
          "Reading "
              + settled
              + " did not come within "
              + settings.readingTimeoutSeconds()
              + " s, though what follows it did";
      miss(settled, follows.stampNanos(), sentence);
    }
  }

  /**
   * The run cannot go on. What is open, and what still comes, is lost; whoever computes lets go.
   *
   * @param why for people
   */
  void fail(String why, long nanoTime) {
    breakOff(why);
    serveNext(nanoTime);
  }

  private void breakOff(String why) {
    if (ended || !broken.isEmpty()) {
      return;
    }
    broken = why;
    vigil.rest();
    voice.release(run);
    underway.takeAll().forEach(lost -> miss(lost.sequence(), lost.stampNanos(), broken));
  }

  /** Nanoseconds since the robot's last word. */
  long silentNanos(long nanoTime) {
    return nanoTime - heardAt;
  }

  /** Tells everyone to let go of the run. */
  void forget() {
    voice.release(run);
    voice.publisherOver().emit(new Payload.Over(run));
  }

  private void finish() {
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

  /** Nobody waits for a number any more, nor for what should have come before it and has not. */
  private void settle(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    long first = Math.max(settled, sequence - settings.waitingReadings() - 2) + 1;
    for (long each = first; each < sequence; each++) {
      if (!waiting.containsKey(each) && !underway.has(each)) {
        String sentence = "Reading " + each + " did not come before number " + sequence;
        miss(each, reading.stampNanos(), sentence);
      }
    }
    settled = Math.max(settled, sequence);
  }

  private void turn(Arrival.OfReading reading, Refusal.Because why) {
    settle(reading);
    voice
        .turned()
        .emit(
            new Payload.Turned(
                run,
                reading.sequence(),
                reading.stampNanos(),
                why.refusal().name(),
                why.toString()));
  }

  private void miss(long sequence, long stampNanos, String sentence) {
    voice.missing().emit(new Payload.Missing(run, sequence, stampNanos, sentence));
  }
}
