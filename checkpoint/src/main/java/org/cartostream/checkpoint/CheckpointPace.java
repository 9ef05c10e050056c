package org.cartostream.checkpoint;

/**
 * Pace of a run's checkpoints: the next is due after the time that the settings name, or later
 * where the one before was large. While a task's part is encoded nothing else is computed of the
 * run there; that takes no more than a fortieth of the time, however large the state is.
 *
 * <p>Owns when the latest checkpoint was begun, and how long the slowest task encoded. Moments are
 * the caller's: nanoseconds, by a clock of any origin.
 */
public final class CheckpointPace {

  /** Encoding takes at most one part in this many of the time. */
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

  /** The run begins or goes on, or a checkpoint of it is begun. */
  public void begin(long now) {
    begunAt = now;
    encodingNanos = 0;
  }

  /**
   * A task has encoded its part of the checkpoint that was begun.
   *
   * @param nanos how long that took
   */
  public void encoded(long nanos) {
    encodingNanos = Math.max(encodingNanos, nanos);
  }

  /** True if it is time for the next one. */
  public boolean isDue(long now) {
    return isOn() && now - begunAt >= Math.max(everyNanos, encodingNanos * MAX_SHARE);
  }
}
