package org.cartostream.topology.timing;

/**
 * The timing of one task's work on one key frame: moments by {@link System#nanoTime} of its
 * process, in this order, unless noted otherwise.
 *
 * @param task the task's number
 * @param particles that it held at the end
 * @param earlyNanos so many nanoseconds of its matching had been done before, while the decision
 *     about the key frame before was waited for
 * @param from it began with what was left of its matching
 * @param matched it had matched, and the wait for the decision began
 * @param aheadNanos meanwhile it entered the scan into maps for so many nanoseconds
 * @param nextFrom and from here on (or {@code matched}, if not at all)
 * @param nextNanos it matched the next key frame for so many
 * @param decided it received the decision about the particles
 * @param sent it had sent those that leave, and began to wait for those that come
 * @param arrived the last of them had come
 * @param updated the scan was in all its maps
 * @param bytesMoved bytes of the poses and maps that it sent to other tasks
 */
public record KeyFrameTiming(
    int task,
    int particles,
    long earlyNanos,
    long from,
    long matched,
    long aheadNanos,
    long nextFrom,
    long nextNanos,
    long decided,
    long sent,
    long arrived,
    long updated,
    long bytesMoved) {

  /** Nanoseconds that its particles took for this key frame, whenever that was. */
  long computeNanos() {
    return earlyNanos + (matched - from) + aheadNanos + (sent - decided) + (updated - arrived);
  }
}
