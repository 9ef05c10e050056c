package org.cartostream.topology.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory that states of all runs, encoded for checkpoints, may take in this process until they
 * are written: an eighth of the heap. If states come faster than the store writes them, a
 * checkpoint whose state does not fit fails and is tried again later; its run goes on meanwhile. A
 * run's states always fit, however large they are, if there are none of other runs: else the states
 * of the run's tasks in this process could prevent each other for ever. A state of unknown size,
 * such as a new run's, always fits, too.
 *
 * <p>Owns the number of bytes reserved for each run. Thread-safe.
 */
public final class EncodingBudget {

  private static final int PART_OF_HEAP = 8;

  private static final EncodingBudget OF_PROCESS =
      new EncodingBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

  private final long max;

  /** Reserved bytes by run. */
  private final Map<String, Long> reserved = new HashMap<>();

  /**
   * @param max number of bytes that may be reserved, bytes
   */
  public EncodingBudget(long max) {
    this.max = max;
  }

  /** Returns the budget of this process. */
  public static EncodingBudget ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Reserves memory for a state, by its expected size (0 if unknown); returns false if there is not
   * enough.
   */
  public synchronized boolean reserve(String run, long bytes) {
    long all = all();
    boolean fits = bytes == 0 || all == reserved.getOrDefault(run, 0L) || all + bytes <= max;
    if (fits) {
      change(run, bytes);
    }
    return fits;
  }

  /**
   * Changes a run's reservation: up when an encoded state is larger than expected, down when it is
   * written.
   *
   * @param bytes number of bytes to add; may be negative
   */
  public synchronized void change(String run, long bytes) {
    long now = reserved.getOrDefault(run, 0L) + bytes;
    if (now == 0) {
      reserved.remove(run);
    } else {
      reserved.put(run, now);
    }
  }

  private long all() {
    return reserved.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns a sentence for people about the memory that is reserved, and its maximum. */
  public synchronized String sentence() {
    return "%d MB of other states are still being written, and %d are allowed at a time"
        .formatted(all() >> 20, max >> 20);
  }
}
