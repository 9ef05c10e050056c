package org.cartostream.checkpoint;

/**
 * Schedule of a run's checkpoints: the next one is due after the time set in {@link
 * CheckpointSettings}, or later if the previous one was large. A task computes nothing for a run
 * while it encodes its part of the run's checkpoint; the schedule limits this to a fortieth of the
 * time, however large the state is.
 *
 * <p>Owns the time at which the latest checkpoint was begun, and the encoding time of its slowest
 * task. Times are given by the caller, in nanoseconds from any origin.
 */
public final class CheckpointPace {

  /** Minimum ratio of the time between checkpoints to the time spent on encoding. */
  private static final int MAX_SHARE = 40;

  private final long everyNanos;
  private long begunAt;
  private long encodingNanos;

  public CheckpointPace(CheckpointSettings settings) {
    this.everyNanos = (long) (settings.everySeconds() * 1e9);
  }

  /** True if the run has checkpoints. */
  public boolean isOn() {
    return everyNanos > 0;
  }

  /**
   * Restarts the time to the next checkpoint, as the run or a checkpoint begins.
   *
   * @param now the time, nanoseconds
   */
  public void begin(long now) {
    begunAt = now;
    encodingNanos = 0;
  }

  /**
   * Notes that a task has encoded its part of the latest checkpoint.
   *
   * @param nanos time that the encoding took, nanoseconds
   */
  public void encoded(long nanos) {
    encodingNanos = Math.max(encodingNanos, nanos);
  }

  /** Returns true if it is time for the next checkpoint. */
  public boolean isDue(long now) {
    return isOn() && now - begunAt >= Math.max(everyNanos, encodingNanos * MAX_SHARE);
  }
}
