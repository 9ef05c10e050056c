package org.cartostream.topology;

import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * A reading that was admitted and is not answered yet.
 *
 * <p>Owns the parts of its answer: the pose, once it has entered the path, and how long it took,
 * once the tasks are done with it. These come in any order.
 */
final class PendingReading {

  private final Step step;
  private final long heardAtNanoTime = System.nanoTime();

  /** Null until it has entered the path. */
  private Pose pose;

  private double effectiveSampleSize;
  private double entropy;
  private boolean served;

  /** By the publisher's {@link PauseTolerantClock}. */
  private long servedAtAwake;

  private long serviceNanos;

  /**
   * All that matters elsewhere.
   *
   * @param entered whether it is on the path; else pose, sample size and entropy mean nothing
   * @param served whether all tasks are done with it
   */
  record Snapshot(
      Step step,
      boolean entered,
      Pose pose,
      double effectiveSampleSize,
      double entropy,
      boolean served,
      long serviceNanos) {}

  /** One that this publisher learns of now. */
  PendingReading(Step step) {
    this.step = step;
  }

  /**
   * One that another publisher has known, and this one learns of now.
   *
   * @param now by the publisher's {@link PauseTolerantClock}
   */
  PendingReading(Snapshot snapshot, long now) {
    this(snapshot.step());
    if (snapshot.entered()) {
      enter(snapshot.pose(), snapshot.effectiveSampleSize(), snapshot.entropy());
    }
    if (snapshot.served()) {
      served(snapshot.serviceNanos(), now);
    }
  }

  Snapshot snapshot() {
    Pose at = hasEntered() ? pose : Pose.ORIGIN;
    return new Snapshot(step, hasEntered(), at, effectiveSampleSize, entropy, served, serviceNanos);
  }

  Step step() {
    return step;
  }

  long sequence() {
    return step.sequence();
  }

  boolean hasEntered() {
    return pose != null;
  }

  /** It is on the path. */
  void enter(Pose at, double filtersSampleSize, double filtersEntropy) {
    pose = at;
    effectiveSampleSize = filtersSampleSize;
    entropy = filtersEntropy;
  }

  /** All tasks are done with it; what comes twice counts once. */
  void served(long tookNanos, long now) {
    if (!served) {
      served = true;
      servedAtAwake = now;
      serviceNanos = tookNanos;
    }
  }

  /**
   * All tasks are done with it, but the message of that was lost: it took no longer than since it
   * was known here.
   */
  void served(long now) {
    served(System.nanoTime() - heardAtNanoTime, now);
  }

  /** True if it can be answered. */
  boolean isDone() {
    return served && hasEntered();
  }

  /**
   * @throws IllegalStateException if all tasks have been done with it for longer than this, and it
   *     has still to wait for a decision, on itself or on one before
   */
  void requireDecision(int seconds, long now) {
    if (lacksDecision(seconds, now)) {
      throw new IllegalStateException(
          "the decision on reading "
              + sequence()
              + " did not come within "
              + seconds
              + " s after all tasks were done with it");
    }
  }

  /** True if all tasks have been done with it for longer than this, and there is no decision. */
  boolean lacksDecision(int seconds, long now) {
    return served && !hasEntered() && now - servedAtAwake > TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Its answer. */
  Outcome processed() {
    return processed(serviceNanos);
  }

  /** Its answer if it was given up after so long. */
  Outcome processed(long nanos) {
    return new Outcome.Processed(pose, effectiveSampleSize, entropy, step.searched(), nanos);
  }
}
