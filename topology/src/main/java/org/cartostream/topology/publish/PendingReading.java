package org.cartostream.topology.publish;

import java.util.concurrent.TimeUnit;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * A reading that was admitted to the filter and is not answered yet.
 *
 * <p>Owns the parts of the reading's answer: the pose, once the reading has entered the path, and
 * the service time, once all tasks are done with the reading. Both come in any order.
 */
final class PendingReading {

  private final Step step;
  private final boolean isNoted;

  /** Pose of the robot; null until the reading has entered the path. */
  private RobotPose pose;

  private boolean served;

  /**
   * Time at which the reading was served, by the publisher's {@link PauseTolerantClock},
   * nanoseconds.
   */
  private long servedAtAwake;

  private long serviceNanos;

  /**
   * @param isNoted true if the reading is suspected of a crash, so that its answer must be reported
   *     to the dispatcher
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

  /** Returns true if the answer must be reported to the dispatcher. */
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

  /**
   * Notes that all tasks are done with the reading; a repeated report is ignored.
   *
   * @param tookNanos service time of the reading, nanoseconds
   */
  void served(long tookNanos, long now) {
    if (!served) {
      served = true;
      servedAtAwake = now;
      serviceNanos = tookNanos;
    }
  }

  /** Returns true if all tasks are done with the reading. */
  boolean isServed() {
    return served;
  }

  /** Returns true if the reading can be answered. */
  boolean isDone() {
    return served && hasEntered();
  }

  /**
   * Returns true if all tasks have been done with the reading for longer than {@code seconds}, and
   * it has not entered the path.
   */
  boolean lacksDecision(int seconds, long now) {
    return served && !hasEntered() && now - servedAtAwake > TimeUnit.SECONDS.toNanos(seconds);
  }

  /** Returns the answer to the reading. */
  Outcome processed() {
    return new Outcome.Processed(pose, step.searched(), serviceNanos);
  }
}
