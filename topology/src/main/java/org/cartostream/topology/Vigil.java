package org.cartostream.topology;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Watches over the readings of one run that are being processed: when one takes long all tasks are
 * asked, and if something was lost the run is mended.
 *
 * <p>Time decides when it is asked, never what comes of it. Owns the {@link Mending} that goes on,
 * the number of the latest round of questions, how often the run was mended, and when was asked
 * last.
 */
final class Vigil {

  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Run run;
  private final TopologySettings settings;
  private final int particles;
  private final int matchers;
  private final DispatcherOutputs voice;
  private final long patienceNanos;
  private final long mapsPauseNanos;

  /** Null while nothing is suspected. */
  private Mending mending;

  private long rounds;
  private int generation;
  private long begunAt;
  private long askedAt;

  Vigil(Run run, int particles, TopologySettings settings, int matchers, DispatcherOutputs voice) {
    this.run = run;
    this.particles = particles;
    this.settings = settings;
    this.matchers = matchers;
    this.voice = voice;
    this.patienceNanos = settings.patienceNanos();
    this.mapsPauseNanos = Math.max(ASK_AGAIN_NANOS, settings.partNanos());
  }

  /**
   * Goes on for another that has died.
   *
   * @param generationsBefore how often the run was mended
   * @param roundsBefore no less than the rounds of questions that there were
   */
  void goOn(int generationsBefore, long roundsBefore) {
    generation = generationsBefore;
    rounds = roundsBefore;
  }

  /** How often the run was mended. */
  int generation() {
    return generation;
  }

  /** True while no reading may be admitted. */
  boolean isMending() {
    return mending != null;
  }

  /** When the mending that goes on was begun. */
  long begunAt() {
    return begunAt;
  }

  /**
   * Looks at the time.
   *
   * @param open the key frames that are being processed
   * @param ageNanos how long the first of them has been
   * @param now by the dispatcher's {@link PauseTolerantClock}
   */
  void watch(List<Step> open, long ageNanos, long now) {
    if (mending == null && !open.isEmpty() && ageNanos > patienceNanos) {
      begin(open, now);
      ask(now);
    } else if (mending != null && now - askedAt > pauseNanos()) {
      ask(now);
    }
  }

  private void begin(List<Step> open, long now) {
    begunAt = now;
    boolean marked = settings.mode() == Mode.DATAFLOW;
    rounds++; // Even if it is never answered: marks of a round that has passed prove nothing.
    mending = new Mending(run, particles, matchers, rounds, generation + 1, open, marked, voice);
  }

  private void ask(long now) {
    askedAt = now;
    mending.ask();
  }

  /** Maps take their time; to ask after them more often would only add to what is on its way. */
  private long pauseNanos() {
    return mending.isGathering() ? mapsPauseNanos : ASK_AGAIN_NANOS;
  }

  /** A task has found out that one of these key frames cannot be ended. */
  void alarm(List<Step> open, long now) {
    if (mending == null) {
      begin(open, now);
      ask(now);
    }
    mending.insist(); // A task that is asked says so again: no question may follow from that.
  }

  /** A task has answered who is there. */
  void heard(Payload.Present answer) {
    if (mending != null) {
      mending.heard(answer);
      rounds = mending.round();
      if (mending.isNothingLost()) {
        mending = null; // One is only slow.
      }
    }
  }

  /** A task has its particles again. */
  void heard(Payload.Reborn answer) {
    if (mending != null) {
      mending.heard(answer);
    }
  }

  /** All readings are done after all; but what has begun to be mended must be mended. */
  void allServed() {
    if (mending != null && mending.isAsking()) {
      rest();
    }
  }

  /** Why the run cannot go on, for people; empty while it may. */
  String hopeless() {
    return mending == null ? "" : mending.hopeless();
  }

  /** True, once, when the run can go on where it was mended. */
  boolean hasMended() {
    boolean done = mending != null && mending.isDone();
    if (done) {
      generation = mending.generation();
      rest();
    }
    return done;
  }

  /** Nothing is asked any more. */
  void rest() {
    mending = null;
  }
}
