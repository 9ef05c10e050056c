package org.cartostream.topology.memory;

/**
 * The memory that states of all runs, encoded for checkpoints, may take in this process until they
 * are written: an eighth of the heap. Where the store is slower than states come, the next one's
 * checkpoint fails, and is tried again; its run goes on meanwhile. One is let in always if no other
 * is there, however large it is, and so is one of which nothing is known, as of a run that begins.
 *
 * <p>Owns how many bytes are reserved. Thread-safe.
 */
public final class EncodingBudget {

  private static final int PART_OF_HEAP = 8;

  private static final EncodingBudget OF_PROCESS =
      new EncodingBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

  private final long most;
  private long reserved;

  /**
   * @param most bytes
   */
  public EncodingBudget(long most) {
    this.most = most;
  }

  /** That of this process. */
  public static EncodingBudget ofProcess() {
    return OF_PROCESS;
  }

  /** Reserves memory for a state that is expected to take so much; false if there is not enough. */
  public synchronized boolean reserve(long bytes) {
    boolean fits = bytes == 0 || reserved == 0 || reserved + bytes <= most;
    reserved += fits ? bytes : 0;
    return fits;
  }

  /** What was reserved for is encoded, and takes so much more; or is written, and takes less. */
  public synchronized void change(long bytes) {
    reserved += bytes;
  }

  /** What is reserved, and how much may be, for people. */
  public synchronized String sentence() {
    return "%d MB of other states are still being written, and %d are allowed at a time"
        .formatted(reserved >> 20, most >> 20);
  }
}
