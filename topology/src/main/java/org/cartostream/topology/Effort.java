package org.cartostream.topology;

/**
 * What a key frame cost the tasks that hold the particles.
 *
 * @param matchNanos nanoseconds of moving, matching and weighing
 * @param resampleNanos nanoseconds from there to the resampler's verdict, which waits for the
 *     slowest task
 * @param exchangeNanos nanoseconds from there until all expected particles had come
 * @param registerNanos nanoseconds of entering the scan into the maps
 * @param bytesMoved bytes of the poses and maps that were sent to other tasks
 */
public record Effort(
    long matchNanos, long resampleNanos, long exchangeNanos, long registerNanos, long bytesMoved) {

  public static final Effort NONE = new Effort(0, 0, 0, 0, 0);

  /** Both together. */
  public Effort plus(Effort other) {
    return new Effort(
        matchNanos + other.matchNanos,
        resampleNanos + other.resampleNanos,
        exchangeNanos + other.exchangeNanos,
        registerNanos + other.registerNanos,
        bytesMoved + other.bytesMoved);
  }
}
