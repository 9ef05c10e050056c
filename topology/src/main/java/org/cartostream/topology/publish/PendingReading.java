package org.cartostream.topology.publish;

import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * A reading that was admitted to the filter and is not answered yet.
 *
 * <p>Owns the parts of its answer: the pose, once it has entered the path, and how long it took,
 * once the tasks are done with it. These come in any order.
 */
final class PendingReading {

  private final Step step;
  private final boolean isNoted;

  /** Null until it has entered the path. */
  private RobotPose pose;

  private boolean served;

  /** Time at which the reading was served by the publisher's {@link PauseTolerantClock}. */
  private long servedAtAwake;

  private long serviceNanos;

  /**
   * @param isNoted true if it is to be said when it is answered
   */
  PendingReading(Step step, boolean isNoted) {
    this.step = step;
    this.isNoted = isNoted;
  }

  Step step() {
    return step;
  }

  long sequence() {
    return step.sequence();
  }

  /** True if it is to be said when it is answered. */
  boolean isNoted() {
    return isNoted;
  }

  boolean hasEntered() {
    return pose != null;
  }

  /** Enters the reading into the path. */
  void enter(RunPaths paths) {
    pose = paths.current();
  }

  /** All tasks are done with it; what comes twice counts once. */
  void served(long tookNanos, long now) {
    if (!served) {
      served = true;
      servedAtAwake = now;
      serviceNanos = tookNanos;
    }
  }

  /** True if all tasks are done with it. */
  boolean isServed() {
    return served;
  }

  /** True if it can be answered. */
  boolean isDone() {
    return served && hasEntered();
  }

  /** True if all tasks have been done with it for longer than this, and there is no decision. */
  boolean lacksDecision(int seconds, long now) {
    return served && !hasEntered() && now - servedAtAwake > TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Returns the answer to the reading. */
  Outcome processed() {
    return new Outcome.Processed(pose, step.searched(), serviceNanos);
  }
}
