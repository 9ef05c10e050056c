package org.cartostream.topology.timing;

import java.util.function.LongSupplier;

/**
 * Stopwatch of a task's work on one key frame, which makes a {@link KeyFrameTiming}. Matching of
 * the next key frame that the task does ahead, while it waits for the decision about this one,
 * counts for the next key frame; if the particles are resampled, that work is lost and counts for
 * none.
 *
 * <p>Owns the times and durations of the current key frame.
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

  /** Time for entering the previous key frame's scan into all maps, nanoseconds. */
  private long mapUpdateNanos;

  /**
   * @param task number of the task
   * @param nanoTime clock, such as {@link System#nanoTime}
   */
  public KeyFrameTimer(int task, LongSupplier nanoTime) {
    this.task = task;
    this.nanoTime = nanoTime;
  }

  /** Returns the number of the task. */
  public int task() {
    return task;
  }

  /** Returns the time by the timer's clock, nanoseconds. */
  public long now() {
    return nanoTime.getAsLong();
  }

  /** Begins the rest of a key frame's matching, which was not done ahead. */
  public void begin() {
    earlyNanos = nextNanos;
    from = now();
  }

  /**
   * Returns the time for entering the previous key frame into maps and for matching this one,
   * nanoseconds.
   */
  public long nanos() {
    return earlyNanos + now() - from + mapUpdateNanos;
  }

  /** Notes that the key frame is matched, and the wait for the decision begins. */
  public void matched() {
    matched = now();
    aheadNanos = 0;
    nextFrom = matched;
    nextNanos = 0;
  }

  /** Adds time for entering the scan into maps during that wait, nanoseconds. */
  public void enteredAhead(long nanos) {
    aheadNanos += nanos;
  }

  /**
   * Adds time for matching the next key frame during that wait.
   *
   * @param start time at which this part of the matching was begun
   * @param nanos duration of this part, nanoseconds
   */
  public void matchedAhead(long start, long nanos) {
    if (nextNanos == 0) {
      nextFrom = start;
    }
    nextNanos += nanos;
  }

  /** Notes that the decision about the particles has come. */
  public void decided(boolean areResampled) {
    decided = now();
    resampled = areResampled;
    bytesMoved = 0;
  }

  /** Adds the bytes of a particle that leaves the task. */
  public void sends(long bytes) {
    bytesMoved += bytes;
  }

  /** Notes that all leaving particles were sent. */
  public void sent() {
    sent = now();
  }

  /** Notes that all expected particles have come. */
  public void arrived(boolean anyCame) {
    arrived = anyCame ? now() : sent;
  }

  /**
   * Notes that the particles that came are added to the others; it only remains to enter the scan
   * into maps.
   */
  public void complete() {
    enteredNanos = aheadNanos;
  }

  /** Adds the final time for entering the scan into maps, nanoseconds. */
  public void entered(long nanos) {
    enteredNanos += nanos;
  }

  /**
   * Ends the key frame, and returns its timing.
   *
   * @param particles number of particles that the task holds now
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
      nextNanos = 0; // The work ahead was lost.
    }
    return keyFrameTiming;
  }
}
