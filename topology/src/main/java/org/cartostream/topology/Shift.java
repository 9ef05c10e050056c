package org.cartostream.topology;

/**
 * When a task began with a key frame and what it did since: the {@link Stint} in the making. What
 * was matched of the next key frame, while the verdict about this one was waited for, counts for
 * the next; unless its particles were resampled after all, for then it was in vain.
 *
 * <p>Owns the moments, by {@link System#nanoTime}, and the nanoseconds between some of them.
 */
final class Shift {

  private final int task;
  private long earlyNanos;
  private long from;
  private long matched;
  private long aheadNanos;
  private long nextFrom;
  private long nextNanos;
  private long judged;
  private boolean resampled;
  private long bytesMoved;
  private long sent;
  private long arrived;
  private long complete;

  /** For the key frame before, what it took to have the scan in all maps. */
  private long registerNanos;

  /**
   * @param task the task's number
   */
  Shift(int task) {
    this.task = task;
  }

  /** Begins with what is left of a key frame's matching. */
  void begin() {
    earlyNanos = nextNanos;
    from = System.nanoTime();
  }

  /** Nanoseconds that it took to enter the key frame before into maps and to match this one. */
  long nanos() {
    return earlyNanos + System.nanoTime() - from + registerNanos;
  }

  /** The key frame is matched, and the wait for the verdict begins. */
  void matched() {
    matched = System.nanoTime();
    aheadNanos = 0;
    nextFrom = matched;
    nextNanos = 0;
  }

  /** Meanwhile the scan is entered into maps. */
  void enteredAhead(long nanos) {
    aheadNanos += nanos;
  }

  /**
   * The next key frame is matched.
   *
   * @param start when this part of it was begun
   */
  void matchedAhead(long start, long nanos) {
    if (nextNanos == 0) {
      nextFrom = start;
    }
    nextNanos += nanos;
  }

  /** It is known what becomes of the particles. */
  void judged(boolean areResampled) {
    judged = System.nanoTime();
    resampled = areResampled;
    bytesMoved = 0;
  }

  /** A particle leaves that has so many bytes. */
  void sends(long bytes) {
    bytesMoved += bytes;
  }

  /** All that leave have left. */
  void sent() {
    sent = System.nanoTime();
  }

  /** All that come have come. */
  void arrived(boolean anyCame) {
    arrived = anyCame ? System.nanoTime() : sent;
  }

  /** They are among the others; what is left is to enter the scan into maps. */
  void complete() {
    complete = System.nanoTime();
  }

  /**
   * The key frame is done.
   *
   * @param particles that the task holds now
   */
  Stint end(int particles) {
    long registered = System.nanoTime();
    registerNanos = aheadNanos + registered - complete;
    Stint stint =
        new Stint(
            task,
            particles,
            earlyNanos,
            from,
            matched,
            aheadNanos,
            nextFrom,
            nextNanos,
            judged,
            sent,
            arrived,
            registered,
            bytesMoved);
    if (resampled) {
      nextNanos = 0; // It was in vain.
    }
    return stint;
  }
}
