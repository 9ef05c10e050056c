package org.cartostream.ros.rtps.endpoint;

/**
 * Budget of the memory for one reader's samples that cannot be delivered yet, of all writers:
 * samples out of order, and incomplete ones. When the budget is used up, only the next sample in
 * order is taken, and its fragments up to 1.5 times the budget; the other samples will be sent
 * again. Guarded by the participant's lock.
 */
final class HeldBytes {

  /** Memory of a sample or fragment beside its payload, bytes: objects, and entries of maps. */
  static final int OVERHEAD = 160;

  private final long max;
  private long held;

  HeldBytes(long max) {
    this.max = max;
  }

  boolean hasRoom() {
    return held < max;
  }

  /**
   * True if there is room for a fragment of the next sample in order, for which all others wait.
   */
  boolean hasRoomForNext() {
    return held < max + max / 2;
  }

  /**
   * Adds to the held bytes.
   *
   * @param bytes number of bytes; negative to release them
   */
  void add(long bytes) {
    held += bytes;
  }

  long held() {
    return held;
  }
}
