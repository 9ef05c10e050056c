package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.topology.Payload.Arrival;

/**
 * Lets the readings of one run into its filter, one at a time and each once.
 *
 * <p>Owns what has come of the run so far: the greatest number seen, the line of what waits, the
 * reading that is being processed, and the {@link Intake}.
 */
final class Admission {

  private final Run run;
  private final TopologySettings settings;
  private final int matchers;
  private final DispatcherVoice voice;
  private final Intake intake;
  private final Deque<Arrival.OfReading> waiting = new ArrayDeque<>();
  private final BitSet ready = new BitSet();

  private long newest;
  private Step serving;
  private long servingSince;
  private Effort effort = Effort.NONE;
  private Arrival end;
  private long endCameAt;
  private boolean ended;
  private String broken;
  private long heardAt;

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
    if (arrival instanceof Arrival.OfReading reading) {
      hearReading(reading);
    } else if (ended) {
      voice.ended().emit(new Payload.Ended(run, arrival.sequence(), arrival.stampNanos()));
    } else if (end == null) {
      end = arrival;
      endCameAt = nanoTime;
    }
    serveNext(nanoTime);
  }

  private void hearReading(Arrival.OfReading reading) {
    long sequence = reading.sequence();
    if (sequence <= newest) {
      if (!isOpen(sequence)) {
        voice.again().emit(new Payload.Again(run, sequence, reading.stampNanos()));
      }
      return;
    }
    newest = sequence;
    if (ended || (end != null && sequence > end.sequence())) {
      turn(reading, TopologyRefusal.AFTER_THE_END.because("number " + sequence));
    } else if (waiting.size() >= settings.waitingReadings()) {
      turn(
          reading,
          TopologyRefusal.TOO_MANY_WAITING.because(
              waiting.size() + " wait before number " + sequence));
    } else {
      waiting.add(reading);
    }
  }

  /** True if the reading's answer is still to come. */
  private boolean isOpen(long sequence) {
    return (serving != null && serving.sequence() == sequence)
        || waiting.stream().anyMatch(arrival -> arrival.sequence() == sequence);
  }

  private void serveNext(long nanoTime) {
    while (serving == null && !waiting.isEmpty()) {
      serve(waiting.remove(), nanoTime);
    }
    boolean nothingOpen = serving == null && waiting.isEmpty();
    if (end != null && !ended && nothingOpen && isAllHere(nanoTime)) {
      finish();
    }
  }

  /**
   * True if all came that the end counts. After an outage of the broker the end may come before
   * readings that are sent again; it waits for them as long as a reading may take.
   */
  private boolean isAllHere(long nanoTime) {
    return newest >= end.sequence() || nanoTime - endCameAt > readingTimeoutNanos();
  }

  private void serve(Arrival.OfReading arrival, long nanoTime) {
    Reading reading = arrival.reading();
    if (broken != null) {
      miss(arrival.sequence(), arrival.stampNanos());
      return;
    }
    Intake.Decision decision = intake.decide(arrival.sequence(), reading);
    if (decision instanceof Intake.Decision.Refuse refuse) {
      turn(arrival, refuse.why());
    } else if (decision instanceof Intake.Decision.Take take) {
      admit(take.step(), nanoTime);
    }
  }

  private void admit(Step step, long nanoTime) {
    voice.admitted().emit(new Payload.Admitted(run, step));
    if (step.keyFrame()) {
      serving = step;
      servingSince = nanoTime;
      effort = Effort.NONE;
      ready.clear();
      voice.keyFrames().emit(new Payload.KeyFrame(run, step));
    } else {
      long took = System.nanoTime() - nanoTime;
      voice.served().emit(new Payload.Served(run, step.sequence(), took, Effort.NONE));
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
      long took = nanoTime - servingSince;
      voice.served().emit(new Payload.Served(run, by.sequence(), took, effort));
      serving = null;
      serveNext(nanoTime);
    }
  }

  /**
   * Looks at the time. A reading that takes too long is given up: a task has died, and its
   * particles with it.
   */
  void watch(long nanoTime) {
    if (serving != null && nanoTime - servingSince > readingTimeoutNanos()) {
      Step lost = serving;
      serving = null;
      broken =
          "Particles were lost: reading "
              + lost.sequence()
              + " was not processed within "
              + settings.readingTimeoutSeconds()
              + " s";
      miss(lost.sequence(), lost.stampNanos());
    }
    serveNext(nanoTime);
  }

  private long readingTimeoutNanos() {
    return TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
  }

  /** True if the robot has been silent for so long that it is to be forgotten. */
  boolean isForgotten(long nanoTime) {
    return nanoTime - heardAt > TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds());
  }

  /** Tells everyone to let go of the run. */
  void forget() {
    if (!ended) {
      voice.release(run);
    }
    voice.publisherOver().emit(new Payload.Over(run));
  }

  private void finish() {
    ended = true;
    voice.ended().emit(new Payload.Ended(run, end.sequence(), end.stampNanos()));
    voice.release(run);
  }

  private void turn(Arrival reading, Refusal.Because why) {
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

  private void miss(long sequence, long stampNanos) {
    voice.missing().emit(new Payload.Missing(run, sequence, stampNanos, broken));
  }
}
