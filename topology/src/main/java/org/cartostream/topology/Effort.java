package org.cartostream.topology;

/**
 * What key frames cost the tasks that hold the particles, in sum.
 *
 * @param matchNanos nanoseconds of moving, matching and weighing
 * @param resampleNanos nanoseconds from there to the resampler's verdict, which waits for the
 *     slowest task; without what was done meanwhile
 * @param exchangeNanos nanoseconds from there until all expected particles had come
 * @param registerNanos nanoseconds of making their maps, and of entering the scan into all maps
 * @param bytesMoved bytes of the poses and maps that were sent to other tasks
 */
record Effort(
    long matchNanos, long resampleNanos, long exchangeNanos, long registerNanos, long bytesMoved) {

  static final Effort NONE = new Effort(0, 0, 0, 0, 0);

  /** With a further task's work for a further key frame. */
  Effort and(Stint stint) {
    return new Effort(
        matchNanos + stint.earlyNanos() + stint.matched() - stint.from(),
        resampleNanos + stint.judged() - stint.matched() - stint.aheadNanos() - stint.nextNanos(),
        exchangeNanos + stint.arrived() - stint.judged(),
        registerNanos + stint.aheadNanos() + stint.registered() - stint.arrived(),
        bytesMoved + stint.bytesMoved());
  }
}
