package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.PoseMessage;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.geometry.Pose;

/**
 * The story of one run, and what the robot is told of it.
 *
 * <p>Owns the run's {@link Lineage} until the run ends, what was answered to the latest readings,
 * its maps' {@link MapPost}, and afterwards the {@link Farewell}. Dispatcher and resampler write to
 * it in no common order: a reading enters the lineage when it was admitted and, if a key frame,
 * judged, in the order of admission; it is answered when it has entered and was served.
 */
final class Chronicle {

  /**
   * How many answers are kept, in case the robot asks again. A robot has two readings unanswered at
   * most, so it cannot ask for an older one.
   */
  private static final int ANSWERS_KEPT = 256;

  /** Sends an envelope to its robot. */
  interface Mouth {
    void say(Envelope envelope);
  }

  private record Entered(
      Pose pose, double effectiveSampleSize, double entropy, boolean searched, long stampNanos) {
    Outcome processed(long serviceNanos) {
      return new Outcome.Processed(pose, effectiveSampleSize, entropy, searched, serviceNanos);
    }
  }

  private final Run run;
  private final TopologySettings settings;
  private final Tally tally;
  private final Mouth mouth;
  private final MapPost maps;

  private final Deque<Step> admitted = new ArrayDeque<>();
  private final Map<Long, Payload.Judgement> judged = new HashMap<>();
  private final Map<Long, Entered> entered = new HashMap<>();
  private final Map<Long, Payload.Served> served = new HashMap<>();
  private final LinkedHashMap<Long, Envelope> answers = new LinkedHashMap<>();

  /** Null after the farewell, and after a failure of this chronicle. */
  private Lineage lineage;

  private boolean begun;

  /** Why the run broke, for people; empty if it did not. */
  private String failure = "";

  private double effectiveSampleSize;
  private double entropy;
  private long latestAdmitted;
  private long latestAnswered;
  private long latestKeyFrame;

  /** Particles that were lost, until the paths know of it; else null. */
  private Payload.Rebirth rebirth;

  private Payload.Ended end;
  private Farewell farewell;

  Chronicle(Run run, ServiceSettings settings, int tasks, Mouth mouth) {
    this.run = run;
    this.settings = settings.topology();
    this.tally = new Tally(run.robot(), tasks, settings.topology().workers() == 1);
    this.mouth = mouth;
    this.maps = new MapPost(run, settings.topology(), settings.broker().maxMessageBytes());
    this.lineage = new Lineage(settings.filter());
    this.effectiveSampleSize = settings.filter().particles();
    this.entropy = StrictMath.log(settings.filter().particles());
  }

  Run run() {
    return run;
  }

  /**
   * @throws IllegalStateException if the run began without this publisher: its paths are gone
   */
  void admitted(Payload.Admitted word) {
    Step step = word.step();
    maps.robotHolds(word.heldMap());
    if (step.sequence() <= latestAdmitted) {
      return; // A new dispatcher cannot know whether its word had arrived.
    }
    latestAdmitted = step.sequence();
    admitted.add(step);
    tally.admitted(step);
    if (!begun && !step.first() && failure.isEmpty()) {
      throw new IllegalStateException("the paths before reading " + step.sequence() + " are lost");
    }
    begun = true;
    enterWhatCan();
  }

  void judged(Payload.Judgement judgement) {
    boolean late = judgement.resampling().sequence() <= latestKeyFrame;
    if (farewell == null && failure.isEmpty() && !late) {
      judged.put(judgement.resampling().sequence(), judgement);
      enterWhatCan();
    }
  }

  /** Takes effect after the latest key frame that the particles that are left have seen. */
  void reborn(Payload.Rebirth word) {
    tally.rebuilt(word.lost());
    rebirth = word;
    bearAgainWhenDue();
  }

  private void bearAgainWhenDue() {
    if (lineage != null && rebirth != null && latestKeyFrame >= rebirth.last().sequence()) {
      lineage.redraw(rebirth.parents());
      rebirth = null;
    }
  }

  void served(Payload.Served by) {
    tally.served(by);
    if (isOpen(by.sequence())) {
      served.put(by.sequence(), by);
    }
    answerIfDone(by.sequence());
    sayFarewellIfDone();
  }

  void turned(Payload.Turned turned) {
    answer(
        turned.sequence(),
        turned.stampNanos(),
        new Outcome.Refused(turned.refusal(), turned.sentence()));
  }

  void missing(Payload.Missing missing) {
    admitted.removeIf(step -> step.sequence() == missing.sequence());
    judged.remove(missing.sequence());
    Entered reading = entered.remove(missing.sequence());
    if (reading == null) {
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
    if (failure.isEmpty()) {
      failure = why;
    }
    lineage = null;
    judged.clear();
    served.clear();
    entered.forEach(
        (sequence, reading) -> answer(sequence, reading.stampNanos(), new Outcome.Lost(failure)));
    entered.clear();
    enterWhatCan();
  }

  /**
   * Says again what was said; what was never heard of, because a later number came first, is lost.
   */
  void again(Payload.Again again) {
    long sequence = again.sequence();
    Envelope answer = answers.get(sequence);
    boolean forgotten =
        answers.size() == ANSWERS_KEPT && sequence < answers.keySet().iterator().next();
    if (answer != null) {
      mouth.say(answer);
    } else if (!isOpen(sequence) && !forgotten) {
      answer(
          sequence,
          again.stampNanos(),
          new Outcome.Lost("Reading " + sequence + " came after a later one"));
    }
  }

  void ended(Payload.Ended ended) {
    end = ended;
    maps.robotHolds(ended.heldMap());
    if (failure.isEmpty()) {
      failure = ended.failure();
    }
    if (farewell != null) {
      farewell.say(mouth, System.nanoTime());
    } else {
      sayFarewellIfDone();
    }
  }

  /** The greatest number that was admitted or answered. */
  long settled() {
    return Math.max(latestAdmitted, latestAnswered);
  }

  /** A new dispatcher goes on: what it will not serve, the one before has, or would have. */
  void resumed(Payload.Resumed word) {
    Set<Long> open = new TreeSet<>();
    Arrays.stream(word.open()).forEach(open::add);
    List<Long> rest = new ArrayList<>(entered.keySet());
    admitted.forEach(step -> rest.add(step.sequence()));
    for (long sequence : rest) {
      if (sequence <= word.settled() && !open.contains(sequence)) {
        served(new Payload.Served(run, sequence, 0, 0, new Stint[0]));
      }
    }
  }

  private boolean isOpen(long sequence) {
    return entered.containsKey(sequence)
        || admitted.stream().anyMatch(step -> step.sequence() == sequence);
  }

  private void enterWhatCan() {
    while (!admitted.isEmpty()) {
      Step step = admitted.peek();
      if (lineage == null) {
        admitted.remove();
        answer(step.sequence(), step.stampNanos(), new Outcome.Lost(failure));
        continue;
      }
      Payload.Judgement judgement = judged.remove(step.sequence());
      if (step.keyFrame() && judgement == null) {
        return;
      }
      enter(step, judgement);
      admitted.remove();
      answerIfDone(step.sequence());
    }
    sayFarewellIfDone();
  }

  private void enter(Step step, Payload.Judgement judgement) {
    long start = System.nanoTime();
    if (step.keyFrame()) {
      lineage.keyFrame(step, judgement.all(), judgement.resampling());
      effectiveSampleSize = judgement.resampling().effectiveSampleSize();
      entropy = judgement.resampling().entropy();
      tally.judged(judgement);
      maps.changedBy(step);
      latestKeyFrame = step.sequence();
      bearAgainWhenDue();
    } else {
      lineage.between(step);
    }
    Pose pose = lineage.current();
    entered.put(
        step.sequence(),
        new Entered(pose, effectiveSampleSize, entropy, step.searched(), step.stampNanos()));
    say(step.sequence(), step.stampNanos(), new PoseMessage(pose));
    tally.published(System.nanoTime() - start);
  }

  private void answerIfDone(long sequence) {
    Entered reading = entered.get(sequence);
    Payload.Served by = served.get(sequence);
    if (reading == null || by == null) {
      return;
    }
    entered.remove(sequence);
    served.remove(sequence);
    answer(sequence, reading.stampNanos(), reading.processed(by.serviceNanos()));
  }

  /** Each reading gets one outcome, the first. */
  private void answer(long sequence, long stampNanos, Outcome outcome) {
    if (answers.containsKey(sequence)) {
      return;
    }
    tally.outcome(outcome);
    latestAnswered = Math.max(latestAnswered, sequence);
    Envelope answer = envelope(sequence, stampNanos, OutcomeMessage.now(outcome));
    answers.put(sequence, answer);
    if (answers.size() > ANSWERS_KEPT) {
      answers.remove(answers.keySet().iterator().next());
    }
    mouth.say(answer);
  }

  /** Looks at the time: lets go of an old farewell. */
  void watch(long nanoTime) {
    if (farewell != null) {
      farewell.watch(nanoTime);
      if (farewell.isOver()) {
        tally.close();
      }
    }
  }

  /** True if it is time for a map. */
  boolean isMapDue(long nanoTime) {
    return lineage != null && maps.isDue(nanoTime);
  }

  /** Since when, by {@link System#nanoTime}. */
  long mapDueSince() {
    return maps.dueSince();
  }

  /** Draws the map that is due. */
  void drawMap() {
    long start = System.nanoTime();
    Step newest = maps.unmapped();
    maps.draw(lineage, newest.sequence(), false)
        .ifPresent(map -> say(newest.sequence(), newest.stampNanos(), map));
    long now = System.nanoTime();
    tally.published(now - start);
    maps.drawn(now);
  }

  /** The run's figures are shown no more. */
  void close() {
    tally.close();
  }

  private void sayFarewellIfDone() {
    if (end == null || farewell != null || !admitted.isEmpty() || !entered.isEmpty()) {
      return;
    }
    long start = System.nanoTime();
    List<Message> last = new ArrayList<>();
    if (lineage != null) {
      last.addAll(TrajectoryMessage.partsOf(lineage.bestPath()));
      maps.draw(lineage, end.sequence(), true).ifPresent(last::add);
      failure = failure.isEmpty() ? maps.tooLarge() : failure;
    }
    long now = System.nanoTime();
    tally.published(now - start);
    last.add(tally.report(failure));
    farewell = farewell(last);
    farewell.say(mouth, now);
    lineage = null;
    judged.clear();
    served.clear();
  }

  private Farewell farewell(List<Message> words) {
    int keptSeconds = settings.farewellSeconds();
    String gone = "The map and the path were kept for " + keptSeconds + " s and are gone";
    return new Farewell(
        words.stream().map(this::atEnd).toList(),
        atEnd(tally.report(failure.isEmpty() ? gone : failure)),
        keptSeconds);
  }

  private Envelope atEnd(Message body) {
    return envelope(end.sequence(), end.stampNanos(), body);
  }

  private void say(long sequence, long stampNanos, Message body) {
    mouth.say(envelope(sequence, stampNanos, body));
  }

  private Envelope envelope(long sequence, long stampNanos, Message body) {
    return new Envelope(run.robot(), run.number(), sequence, stampNanos, body);
  }
}
