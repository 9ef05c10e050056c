package org.cartostream.topology.timing;

/**
 * Times of the tasks that hold particles, by stage, summed over tasks and key frames.
 *
 * @param matchNanos time for moving, matching and weighing particles, nanoseconds
 * @param resampleNanos time from the end of matching to the resampling decision, which waits for
 *     the slowest task, without work done ahead meanwhile, nanoseconds
 * @param exchangeNanos time from the decision until all expected particles had come, nanoseconds
 * @param mapUpdateNanos time for building the maps of particles that came, and for entering the
 *     scan into all maps, nanoseconds
 * @param bytesMoved size of the poses and maps that were sent to other tasks, bytes
 */
public record StageTimes(
    long matchNanos, long resampleNanos, long exchangeNanos, long mapUpdateNanos, long bytesMoved) {

  public static final StageTimes NONE = new StageTimes(0, 0, 0, 0, 0);

  /** Returns the sum of these times and of one task's work on one key frame. */
  public StageTimes and(KeyFrameTiming keyFrameTiming) {
    return new StageTimes(
        matchNanos + keyFrameTiming.earlyNanos() + keyFrameTiming.matched() - keyFrameTiming.from(),
        resampleNanos
            + keyFrameTiming.decided()
            - keyFrameTiming.matched()
            - keyFrameTiming.aheadNanos()
            - keyFrameTiming.nextNanos(),
        exchangeNanos + keyFrameTiming.arrived() - keyFrameTiming.decided(),
        mapUpdateNanos
            + keyFrameTiming.aheadNanos()
            + keyFrameTiming.updated()
            - keyFrameTiming.arrived(),
        bytesMoved + keyFrameTiming.bytesMoved());
  }
}
