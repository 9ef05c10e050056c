package org.cartostream.checkpoint;

import java.util.regex.Pattern;

/**
 * Identifier of a checkpoint, which is the state of one run after one of its readings.
 *
 * @param run name of the run in its store: 1 to 128 letters, digits, {@code -} and {@code _}
 * @param epoch recovery epoch: a number that grows whenever the run is begun or restored
 * @param reading number of the last reading that is in the state; 0 for none
 */
public record CheckpointId(String run, long epoch, long reading)
    implements Comparable<CheckpointId> {

  private static final Pattern RUN = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  public CheckpointId {
    if (!canName(run)) {
      throw new IllegalArgumentException(
          "'%s' cannot name a run: at most 128 letters, digits, '-' and '_' can"
              .formatted(StateCodec.shown(String.valueOf(run))));
    }
    if (epoch < 0 || reading < 0) {
      throw new IllegalArgumentException(
          "epoch %d, reading %d: neither is negative".formatted(epoch, reading));
    }
  }

  /** Returns true if a text can be the name of a run. */
  public static boolean canName(String run) {
    return run != null && RUN.matcher(run).matches();
  }

  /**
   * Orders the checkpoints of one run by epoch, then by reading. The epoch counts first: a later
   * epoch has repeated all readings after the checkpoint that it was restored from.
   */
  @Override
  public int compareTo(CheckpointId other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(reading, other.reading);
  }

  @Override
  public String toString() {
    return "checkpoint of " + run + " at reading " + reading + " (epoch " + epoch + ")";
  }
}
