package org.cartostream.topology;

import java.util.BitSet;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.Payload.Arrival;

/**
 * Lets the readings of one run into its filter: one at a time, each once, in the order of their
 * numbers.
 *
 * <p>Owns what has come of the run so far: the numbers that are settled, what waits, the reading
 * that is being processed, and the {@link Intake}. Numbers run 1, 2, 3 … without a gap, and the
 * robot's credit bounds how far they are ahead; so a gap is waited for, and a leap shows that this
 * service does not know the run from its beginning.
 */
final class Admission {

  private final Run run;
  private final TopologySettings settings;
  private final int matchers;
  private final DispatcherVoice voice;
  private final Intake intake;
  private final NavigableMap<Long, Arrival.OfReading> waiting = new TreeMap<>();
  private final BitSet ready = new BitSet();

  /** Nobody waits for this number to come, nor for a smaller one. */
  private long settled;

  private Arrival.OfReading serving;
  private long servingSince;
  private Effort effort = Effort.NONE;
  private Arrival end;
  private boolean ended;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  private long heardAt;
  private long movedAt;

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
  }

  Run run() {
    return run;
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
    boolean servedAtOnce = serving == null && sequence == settled + 1;
    if (isOpen(sequence)) {
      return;
    }
    if (sequence <= settled) {
      voice.again().emit(new Payload.Again(run, sequence, reading.stampNanos()));
    } else if (ended || (end != null && sequence > end.sequence())) {
      turn(reading, TopologyRefusal.AFTER_THE_END.because("number " + sequence));
    } else if (waiting.size() >= settings.waitingReadings() && !servedAtOnce) {
      turn(
          reading,
          TopologyRefusal.TOO_MANY_WAITING.because(
              waiting.size() + " wait before number " + sequence));
    } else {
      waiting.put(sequence, reading);
      failOnLeap(sequence);
    }
  }

  /** True if the reading's answer is still to come. */
  private boolean isOpen(long sequence) {
    return (serving != null && serving.sequence() == sequence) || waiting.containsKey(sequence);
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
    while (serving == null && !waiting.isEmpty() && isNext(waiting.firstKey())) {
      serve(waiting.pollFirstEntry().getValue(), nanoTime);
    }
    boolean nothingOpen = serving == null && waiting.isEmpty();
    if (end != null && !ended && nothingOpen && isNext(end.sequence() + 1)) {
      finish();
    }
  }

  /** True if nothing before {@code sequence} is still to come. */
  private boolean isNext(long sequence) {
    return sequence <= settled + 1 || !broken.isEmpty();
  }

  private void serve(Arrival.OfReading arrival, long nanoTime) {
    settled = Math.max(settled, arrival.sequence());
    if (!broken.isEmpty()) {
      miss(arrival.sequence(), arrival.stampNanos(), broken);
      return;
    }
    serving = arrival;
    servingSince = nanoTime;
    Intake.Decision decision = intake.decide(arrival.sequence(), arrival.reading());
    if (decision instanceof Intake.Decision.Refuse refuse) {
      serving = null;
      turn(arrival, refuse.why());
    } else if (decision instanceof Intake.Decision.Take take) {
      admit(take.step());
    }
  }

  private void admit(Step step) {
    voice.admitted().emit(new Payload.Admitted(run, step));
    if (step.keyFrame()) {
      effort = Effort.NONE;
      ready.clear();
      voice.keyFrames().emit(new Payload.KeyFrame(run, step));
    } else {
      served(System.nanoTime(), Effort.NONE);
    }
  }

  /** A task is done with its share of the reading that is being processed. */
  void ready(Payload.Ready by, long nanoTime) {
    if (serving == null || by.sequence() != serving.sequence() || ready.get(by.task())) {
      return;
    }
    ready.set(by.task());
    effort = effort.plus(by.effort());
    if (ready.cardinality() == matchers) {
      served(nanoTime, effort);
      serveNext(nanoTime);
    }
  }

  private void served(long nanoTime, Effort by) {
    long took = nanoTime - servingSince;
    voice.served().emit(new Payload.Served(run, serving.sequence(), took, by));
    serving = null;
    movedAt = nanoTime;
  }

  /** Looks at the time: what takes too long is given up. */
  void watch(long nanoTime) {
    long timeoutNanos = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
    if (serving != null && nanoTime - servingSince > timeoutNanos) {
      breakOff(
          "Particles were lost, as when a process dies: reading "
              + serving.sequence()
              + " was not processed within "
              + settings.readingTimeoutSeconds()
              + " s");
    } else if (serving == null && !ended && nanoTime - movedAt > timeoutNanos) {
      closeGap();
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
    voice.release(run);
    if (serving != null) {
      Arrival.OfReading lost = serving;
      serving = null;
      miss(lost.sequence(), lost.stampNanos(), broken);
    }
  }

  /** True if the robot has been silent for so long that it is to be forgotten. */
  boolean isForgotten(long nanoTime) {
    return nanoTime - heardAt > TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds());
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
    voice.ended().emit(new Payload.Ended(run, arrival.sequence(), arrival.stampNanos(), broken));
  }

  private void turn(Arrival.OfReading reading, Refusal.Because why) {
    settled = Math.max(settled, reading.sequence());
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
