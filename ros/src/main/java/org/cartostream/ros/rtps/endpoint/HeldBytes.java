package org.cartostream.ros.rtps.endpoint;

/**
 * Budget of the memory for one reader's samples that cannot be delivered yet, of all writers:
 * samples out of order, and incomplete ones. When it is full, only the next samples in order are
 * taken, in parts up to half as much more; the others will be sent again. Guarded by the
 * participant's lock.
 */
final class HeldBytes {

  /** Size of a sample or fragment beside its bytes: objects, and entries of maps. */
  static final int OVERHEAD = 160;

  private final long max;
  private long held;

  HeldBytes(long max) {
    this.max = max;
  }

  boolean hasRoom() {
    return held < max;
  }

  /** True for a part of the next sample in order, without which the others would wait for good. */
  boolean hasRoomForNext() {
    return held < max + max / 2;
  }

  /**
   * Takes memory, or gives it back.
   *
   * @param bytes below 0 for what is given back
   */
  void add(long bytes) {
    held += bytes;
  }

  long held() {
    return held;
  }
}
