package org.cartostream.topology.timing;

/**
 * The time that key frames cost the tasks that hold the particles, by stage, in sum.
 *
 * @param matchNanos nanoseconds of moving, matching and weighing
 * @param resampleNanos nanoseconds from there to the resampler's decision, which waits for the
 *     slowest task; without what was done meanwhile
 * @param exchangeNanos nanoseconds from there until all expected particles had come
 * @param mapUpdateNanos nanoseconds of making their maps, and of entering the scan into all maps
 * @param bytesMoved bytes of the poses and maps that were sent to other tasks
 */
public record StageTimes(
    long matchNanos, long resampleNanos, long exchangeNanos, long mapUpdateNanos, long bytesMoved) {

  public static final StageTimes NONE = new StageTimes(0, 0, 0, 0, 0);

  /** Returns the times with a further task's work for a further key frame. */
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
