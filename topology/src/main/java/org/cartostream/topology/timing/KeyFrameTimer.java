package org.cartostream.topology.timing;

import java.util.function.LongSupplier;

/**
 * Stopwatch of a task's work on one key frame, which makes a {@link KeyFrameTiming}. What was
 * matched of the next key frame, while the decision about this one was waited for, counts for the
 * next; unless its particles were resampled after all, for then it was in vain.
 *
 * <p>Owns the moments and the nanoseconds between some of them.
 */
public final class KeyFrameTimer {

  private final int task;
  private final LongSupplier nanoTime;
  private long earlyNanos;
  private long from;
  private long matched;
  private long aheadNanos;
  private long nextFrom;
  private long nextNanos;
  private long decided;
  private boolean resampled;
  private long bytesMoved;
  private long sent;
  private long arrived;
  private long enteredNanos;

  /** Time that the key frame before took to have the scan in all maps, nanoseconds. */
  private long mapUpdateNanos;

  /**
   * @param task the task's number
   * @param nanoTime such as {@link System#nanoTime}
   */
  public KeyFrameTimer(int task, LongSupplier nanoTime) {
    this.task = task;
    this.nanoTime = nanoTime;
  }

  /** The number of the task. */
  public int task() {
    return task;
  }

  /** The time by its clock, in nanoseconds. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** Begins with what is left of a key frame's matching. */
  public void begin() {
    earlyNanos = nextNanos;
    from = now();
  }

  /** Nanoseconds that it took to enter the key frame before into maps and to match this one. */
  public long nanos() {
    return earlyNanos + now() - from + mapUpdateNanos;
  }

  /** The key frame is matched, and the wait for the decision begins. */
  public void matched() {
    matched = now();
    aheadNanos = 0;
    nextFrom = matched;
    nextNanos = 0;
  }

  /** Meanwhile the scan is entered into maps. */
  public void enteredAhead(long nanos) {
    aheadNanos += nanos;
  }

  /**
   * The next key frame is matched.
   *
   * @param start when this part of it was begun
   */
  public void matchedAhead(long start, long nanos) {
    if (nextNanos == 0) {
      nextFrom = start;
    }
    nextNanos += nanos;
  }

  /** Takes the decision about the particles. */
  public void decided(boolean areResampled) {
    decided = now();
    resampled = areResampled;
    bytesMoved = 0;
  }

  /** A particle leaves that has so many bytes. */
  public void sends(long bytes) {
    bytesMoved += bytes;
  }

  /** All that leave have left. */
  public void sent() {
    sent = now();
  }

  /** All that come have come. */
  public void arrived(boolean anyCame) {
    arrived = anyCame ? now() : sent;
  }

  /**
   * Completes the key frame: what came is among the other particles, and what is left is to enter
   * the scan into maps.
   */
  public void complete() {
    enteredNanos = aheadNanos;
  }

  /** The scan is entered into maps. */
  public void entered(long nanos) {
    enteredNanos += nanos;
  }

  /**
   * The key frame is done.
   *
   * @param particles that the task holds now
   */
  public KeyFrameTiming end(int particles) {
    long updated = now();
    mapUpdateNanos = enteredNanos;
    KeyFrameTiming keyFrameTiming =
        new KeyFrameTiming(
            task,
            particles,
            earlyNanos,
            from,
            matched,
            aheadNanos,
            nextFrom,
            nextNanos,
            decided,
            sent,
            arrived,
            updated,
            bytesMoved);
    if (resampled) {
      nextNanos = 0; // It was in vain.
    }
    return keyFrameTiming;
  }
}
