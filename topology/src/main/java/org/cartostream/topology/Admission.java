package org.cartostream.topology;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.Payload.Arrival;
import org.cartostream.topology.run.IdleRunDetector;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the readings of one run into its filter: each once, in the order of their numbers, and each
 * while the one before is still being processed, so that a task that is done with it need not wait
 * for the others.
 *
 * <p>Owns what has come of the run so far: the {@link ReorderBuffer} of what waits, what is {@link
 * InFlightReadings}, the {@link ReadingFilter}, the {@link Vigil} and the {@link Rostrum}; whether
 * its end was passed on, and why it cannot go on.
 */
final class Admission {

  private static final Logger LOG = LoggerFactory.getLogger(Admission.class);

  /**
   * Readings in the filter at a time: one that the tasks work on, and one for those that are done
   * or wait. More would have to wait at the tasks.
   */
  static final int MOST_SERVING = 2;

  /**
   * So often a keep-alive of the run is sent in the time after which a silent robot is forgotten.
   */
  private static final int WORDS_A_TIMEOUT = 4;

  private final Run run;
  private final TopologySettings settings;
  private final int matchers;
  private final DispatcherOutputs outputs;

  /** Null if the run's particles are gone. */
  private ReadingFilter readingFilter;

  private final ReorderBuffer reorderBuffer;
  private final InFlightReadings inFlightReadings;
  private final Vigil vigil;
  private final Rostrum rostrum;

  /** True if all were sent that nothing follows. */
  private boolean ended;

  private boolean lagIsSaid;

  /** Why the run cannot go on, for people; empty while it can. */
  private String broken = "";

  // Moments by the dispatcher's AwakeClock, as is each `now` here.
  private long latestMessageAt;
  private long movedAt;
  private long aliveAt;

  Admission(
      Run run,
      FilterSettings filter,
      TopologySettings settings,
      int matchers,
      DispatcherOutputs outputs,
      long now) {
    this.run = run;
    this.aliveAt = now;
    this.settings = settings;
    this.matchers = matchers;
    this.outputs = outputs;
    this.readingFilter = new ReadingFilter(filter);
    this.reorderBuffer = new ReorderBuffer(run, settings, outputs);
    this.inFlightReadings = new InFlightReadings(run, outputs);
    this.vigil = new Vigil(run, filter.particles(), settings, matchers, outputs);
    this.rostrum = new Rostrum(run, settings, outputs.speakers::emit);
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
  void resume(Recollection known, long roundsBefore, FilterSettings filter, long now) {
    outputs.keepAlive(run); // The resampler, too, is to drop what comes of the one before.
    reorderBuffer.resumeAfter(known.settled());
    latestMessageAt = now;
    movedAt = now;
    if (known.hasParticles()) {
      readingFilter = ReadingFilter.resumedAfter(filter, known.last());
    } else if (!known.hasNotBegun()) {
      readingFilter = null;
    }
    vigil.goOn(known.generation(), roundsBefore);
    rostrum.name(known.speaker());
    missWhatNobodyHeardOf(known);
    for (Step step : known.steps()) {
      outputs.admitted.emit(new Payload.Admitted(run, step, 0, vigil.generation()));
    }
    List<Step> open = known.open();
    for (Step step : open) {
      InFlightReading reading = new InFlightReading(step.sequence(), step.stampNanos(), matchers);
      reading.isKeyFrame(step);
      inFlightReadings.add(reading, now);
    }
    long[] numbers = open.stream().mapToLong(Step::sequence).toArray();
    outputs.resumed.emit(new Payload.Resumed(run, reorderBuffer.settled(), numbers));
    if (!open.isEmpty()) {
      vigil.alarm(open, now);
    }
  }

  /** The messages about it died with the dispatcher, while those about a later one did not. */
  private void missWhatNobodyHeardOf(Recollection known) {
    for (long each = known.heard() + 1; each <= reorderBuffer.settled(); each++) {
      long sequence = each;
      if (known.steps().stream().noneMatch(step -> step.sequence() == sequence)) {
        String sentence = "Reading " + each + " was lost with a process";
        outputs.reportLost(run, each, known.last().stampNanos(), sentence);
      }
    }
  }

  /** Takes a message of the robot; what came before does not reach the filter again. */
  void receive(Arrival arrival, long now) {
    latestMessageAt = now;
    movedAt = now;
    boolean isReading = arrival instanceof Arrival.OfReading;
    if (ended && !isReading) {
      emitEnded(arrival);
    } else if (!isReading || !inFlightReadings.has(arrival.sequence())) {
      reorderBuffer.receive(arrival, inFlightReadings.size());
    }
    String leap = reorderBuffer.leap();
    if (!leap.isEmpty()) {
      abort(leap);
    }
    serveNext(now);
  }

  private void serveNext(long now) {
    while (!vigil.isMending()
        && inFlightReadings.size() < MOST_SERVING
        && reorderBuffer.hasNext()) {
      serve(reorderBuffer.next(), now);
    }
    if (!ended && inFlightReadings.isEmpty()) {
      reorderBuffer.end().ifPresent(this::finish);
    }
  }

  private void serve(Arrival.OfReading arrival, long now) {
    if (readingFilter == null) {
      abort(
          "The particles were lost when processes died, or tasks that may have some did not say so"
              + " within "
              + settings.readingTimeoutSeconds()
              + " s");
    }
    if (!broken.isEmpty()) {
      outputs.reportLost(run, arrival.sequence(), arrival.stampNanos(), broken);
      return;
    }
    inFlightReadings.add(
        new InFlightReading(arrival.sequence(), arrival.stampNanos(), matchers), now);
    ReadingFilter.Decision decision = readingFilter.decide(arrival.sequence(), arrival.reading());
    if (decision instanceof ReadingFilter.Decision.Refuse refuse) {
      inFlightReadings.dropLast();
      outputs.refuse(run, arrival, refuse.why());
    } else if (decision instanceof ReadingFilter.Decision.Accept accept) {
      admit(accept.step(), arrival.heldMap(), now);
    }
  }

  private void admit(Step step, long heldMap, long now) {
    if (step.lagSeconds() != 0 && !lagIsSaid) {
      lagIsSaid = true;
      LOG.warn(
          "{}: the scans' stamps lag odometry by {} s; ros.laserLagSeconds of the gateway takes that off",
          run,
          String.format(Locale.ROOT, "%.2f", step.lagSeconds()));
    }
    outputs.admitted.emit(new Payload.Admitted(run, step, heldMap, vigil.generation()));
    if (step.keyFrame()) {
      inFlightReadings.lastIsKeyFrame(step);
      outputs.keyFrames.emit(new Payload.KeyFrame(run, step));
    }
    emitServed(now);
  }

  /** A task is done with its part of a reading that is being processed. */
  void ready(Payload.Ready by, long now) {
    inFlightReadings.ready(by);
    emitServed(now);
    serveNext(now);
  }

  private void emitServed(long now) {
    if (inFlightReadings.emitServed(now)) {
      movedAt = now;
    }
    if (inFlightReadings.isEmpty()) {
      vigil.allServed();
    }
  }

  /** A tick: looks at the time. Who may have died is asked, and what takes too long is given up. */
  void watch(long now) {
    emitKeepAlive(now);
    rostrum.tick();
    long timeoutNanos = TimeUnit.SECONDS.toNanos(settings.readingTimeoutSeconds());
    boolean idle = inFlightReadings.isEmpty() && !vigil.isMending();
    long age = idle ? 0 : now - openSince();
    if (age > timeoutNanos) {
      abort(
          "Particles were lost, as when a process dies: reading "
              + (inFlightReadings.isEmpty()
                  ? reorderBuffer.settled()
                  : inFlightReadings.first().sequence())
              + " was not processed within "
              + settings.readingTimeoutSeconds()
              + " s");
    } else if (!idle) {
      vigil.watch(inFlightReadings.keyFrames(), age, now);
    } else if (!ended && now - movedAt > timeoutNanos) {
      reorderBuffer.giveUpGap();
    }
    serveNext(now);
  }

  /** The others receive nothing else of a robot that stands still, see {@link IdleRunDetector}. */
  private void emitKeepAlive(long now) {
    long pauseNanos = TimeUnit.SECONDS.toNanos(settings.robotTimeoutSeconds()) / WORDS_A_TIMEOUT;
    if (canGoOn() && now - aliveAt > pauseNanos) {
      outputs.keepAlive(run);
      aliveAt = now;
    }
  }

  private long openSince() {
    long since = inFlightReadings.firstSince();
    return inFlightReadings.isEmpty() ? Math.max(since, vigil.begunAt()) : since;
  }

  /** A task has found out that the others will not bring what it needs for a key frame. */
  void exchangeFailed(Payload.ExchangeFailed message, long now) {
    List<Step> open = inFlightReadings.keyFrames();
    if (broken.isEmpty() && open.stream().anyMatch(s -> s.sequence() == message.sequence())) {
      vigil.alarm(open, now);
    }
  }

  /** A task has answered who is there. */
  void present(Payload.Present answer, long now) {
    vigil.heard(answer);
    resume(now);
  }

  /** A task has its particles again. */
  void reborn(Payload.Reborn answer, long now) {
    vigil.heard(answer);
    resume(now);
  }

  /** A publisher has the run's paths, or has not; if none has, the run cannot go on. */
  void following(Payload.Following message, long now) {
    rostrum.hear(message);
    if (rostrum.isHopeless() && canGoOn()) {
      LOG.warn("{} is given up: {}", run, message.lost());
      fail(message.lost(), now);
    }
  }

  private void resume(long now) {
    if (!vigil.hopeless().isEmpty()) {
      abort(vigil.hopeless());
    } else if (vigil.hasMended()) {
      inFlightReadings.settle();
      emitServed(now);
    }
    serveNext(now);
  }

  /**
   * The run cannot go on. What is open, and what still comes, is lost; whoever computes lets go.
   *
   * @param why for people
   */
  void fail(String why, long now) {
    abort(why);
    serveNext(now);
  }

  private void abort(String why) {
    if (!canGoOn()) {
      return;
    }
    broken = why;
    reorderBuffer.close();
    vigil.rest();
    outputs.release(run);
    inFlightReadings
        .takeAll()
        .forEach(lost -> outputs.reportLost(run, lost.sequence(), lost.stampNanos(), why));
  }

  /** True if another reading would be processed, or the end answered with a path and a map. */
  boolean canGoOn() {
    return !ended && broken.isEmpty();
  }

  /** Nanoseconds since the robot's last message. */
  long silentNanos(long now) {
    return now - latestMessageAt;
  }

  /** Has everyone release the run. */
  void forget() {
    outputs.release(run);
    outputs.publisherReleased.emit(new Payload.RunReleased(run));
  }

  private void finish(Arrival end) {
    ended = true;
    emitEnded(end);
    outputs.release(run);
  }

  private void emitEnded(Arrival arrival) {
    outputs.ended.emit(
        new Payload.Ended(
            run, arrival.sequence(), arrival.stampNanos(), arrival.heldMap(), broken));
  }
}
