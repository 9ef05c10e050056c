package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cartostream.broker.MapHistory;
import org.cartostream.broker.MapMessage;
import org.cartostream.slam.filter.Course;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.SavedLineage;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.geometry.Pose;

/**
 * The paths of one run's particles, as far as the verdicts have come. Readings enter in the order
 * of admission, and key frames when they are judged.
 *
 * <p>Owns the {@link Lineage}, the verdicts on what has not entered, what the filter was like after
 * the latest key frame, rebirths that have still to take effect, and the {@link MapHistory}: the
 * newest map is as large as all else here together, and goes when the paths go.
 */
final class Paths {

  private final Lineage lineage;
  private final MapHistory history = new MapHistory();
  private final Map<Long, Payload.Judgement> judged = new HashMap<>();
  private double effectiveSampleSize;
  private double entropy;
  private long latestKeyFrame;

  /** Particles that were lost, until the lineage knows of it; each after the one before. */
  private final Deque<Payload.Rebirth> rebirths = new ArrayDeque<>();

  /**
   * All of it, to go on elsewhere.
   *
   * @param rebirths that have still to take effect, in their order
   */
  record Known(
      SavedLineage lineage,
      Payload.Judgement[] judged,
      double effectiveSampleSize,
      double entropy,
      Payload.Rebirth[] rebirths) {}

  Paths(FilterSettings filter) {
    lineage = new Lineage(filter);
    effectiveSampleSize = filter.particles();
    entropy = StrictMath.log(filter.particles());
  }

  /** Those that another has known. */
  Paths(FilterSettings filter, Known known) {
    lineage = new Lineage(filter, known.lineage());
    effectiveSampleSize = known.effectiveSampleSize();
    entropy = known.entropy();
    latestKeyFrame = known.lineage().latest().map(Step::sequence).orElse(0L);
    Stream.of(known.judged()).forEach(this::judged);
    rebirths.addAll(List.of(known.rebirths()));
  }

  Known known() {
    return new Known(
        lineage.saved(),
        judged.values().toArray(Payload.Judgement[]::new),
        effectiveSampleSize,
        entropy,
        rebirths.toArray(Payload.Rebirth[]::new));
  }

  /** There is a verdict; it may come before the reading, or again. */
  void judged(Payload.Judgement judgement) {
    long sequence = judgement.resampling().sequence();
    if (sequence > latestKeyFrame) {
      judged.put(sequence, judgement);
    }
  }

  /**
   * There will be no such reading.
   *
   * @return true if there was a verdict on it
   */
  boolean drop(long sequence) {
    return judged.remove(sequence) != null;
  }

  /** True if nothing is missing that the reading needs to enter. */
  boolean canEnter(Step step) {
    return !step.keyFrame() || judged.containsKey(step.sequence());
  }

  /**
   * Takes a reading in.
   *
   * @return the verdict on it; none if it is no key frame
   * @throws IllegalStateException if there was a verdict on one before it, which never came
   */
  Optional<Payload.Judgement> enter(Step step) {
    if (!step.keyFrame()) {
      lineage.between(step);
      return Optional.empty();
    }
    Payload.Judgement judgement = judged.remove(step.sequence());
    requireNothingJudgedBefore(step);
    lineage.keyFrame(step, judgement.all(), judgement.resampling());
    effectiveSampleSize = judgement.resampling().effectiveSampleSize();
    entropy = judgement.resampling().entropy();
    latestKeyFrame = step.sequence();
    bearAgainWhenDue();
    return Optional.of(judgement);
  }

  private void requireNothingJudgedBefore(Step step) {
    for (long sequence : judged.keySet()) {
      if (sequence < step.sequence()) {
        throw new IllegalStateException("reading " + sequence + " is missing on the paths");
      }
    }
  }

  /** Takes effect after the latest key frame that the particles that are left have seen. */
  void reborn(Payload.Rebirth word) {
    rebirths.add(word);
    bearAgainWhenDue();
  }

  private void bearAgainWhenDue() {
    while (!rebirths.isEmpty() && latestKeyFrame >= rebirths.getFirst().last().sequence()) {
      lineage.redraw(rebirths.remove().parents());
    }
  }

  /** Where the robot is, by the particle that is followed. */
  Pose current() {
    return lineage.current();
  }

  /** Neff after the latest key frame. */
  double effectiveSampleSize() {
    return effectiveSampleSize;
  }

  /** Of the particles' weights after the latest key frame, nats. */
  double entropy() {
    return entropy;
  }

  /** The best path, to be closed. */
  Course course() {
    return lineage.course();
  }

  /** Has a map drawn, see {@link MapPost#draw}. */
  Optional<MapMessage> drawnBy(MapPost maps, long version) {
    return maps.draw(lineage, history, version);
  }
}
