package org.cartostream.topology;

/**
 * What one task did for one key frame, and when: moments by {@link System#nanoTime} of its process,
 * in this order.
 *
 * @param task the task's number
 * @param particles that it held at the end
 * @param from it began to match
 * @param matched it had matched, and began to wait for the verdict
 * @param judged it was told what becomes of the particles
 * @param sent it had sent those that leave, and began to wait for those that come
 * @param arrived the last of them had come
 * @param registered the scan was in all its maps
 * @param bytesMoved bytes of the poses and maps that it sent to other tasks
 */
public record Stint(
    int task,
    int particles,
    long from,
    long matched,
    long judged,
    long sent,
    long arrived,
    long registered,
    long bytesMoved) {

  /** Nanoseconds in which the task worked on its particles, rather than waited for others. */
  long computeNanos() {
    return (matched - from) + (sent - judged) + (registered - arrived);
  }
}
