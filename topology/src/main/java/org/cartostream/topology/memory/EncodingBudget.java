package org.cartostream.topology.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * The memory that states of all runs, encoded for checkpoints, may take in this process until they
 * are written: an eighth of the heap. Where the store is slower than states come, the next one's
 * checkpoint fails, and is tried again; its run goes on meanwhile. A run's states are let in always
 * if no other run's are there, however large they are: else those of its tasks here would be in
 * each other's way for ever. So is a state of which nothing is known, as of a run that begins.
 *
 * <p>Owns how many bytes are reserved for each run. Thread-safe.
 */
public final class EncodingBudget {

  private static final int PART_OF_HEAP = 8;

  private static final EncodingBudget OF_PROCESS =
      new EncodingBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

  private final long max;

  /** Reserved bytes by run. */
  private final Map<String, Long> reserved = new HashMap<>();

  /**
   * @param max bytes
   */
  public EncodingBudget(long max) {
    this.max = max;
  }

  /** The budget of this process. */
  public static EncodingBudget ofProcess() {
    return OF_PROCESS;
  }

  /** Reserves memory for a state that is expected to take so much; false if there is not enough. */
  public synchronized boolean reserve(String run, long bytes) {
    long all = all();
    boolean fits = bytes == 0 || all == reserved.getOrDefault(run, 0L) || all + bytes <= max;
    if (fits) {
      change(run, bytes);
    }
    return fits;
  }

  /**
   * Changes a reservation: up when a state is encoded and larger than expected, down when written.
   *
   * @param bytes to add; may be negative
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
