package org.cartostream.topology.timing;

/**
 * The timing of one task's work on one key frame. Times are by {@link System#nanoTime} of the
 * task's process, in the order of the parameters; durations are nanoseconds.
 *
 * @param task number of the task
 * @param particles number of particles that the task held at the end
 * @param earlyNanos duration of matching that was done ahead, during the wait for the previous
 *     decision
 * @param from time at which the rest of the matching began
 * @param matched time at which the matching was done, and the wait for the decision began
 * @param aheadNanos duration of entering the scan into maps during that wait
 * @param nextFrom time at which matching of the next key frame began during that wait; equal to
 *     {@code matched} if it did not
 * @param nextNanos duration of matching the next key frame during that wait
 * @param decided time at which the decision about the particles came
 * @param sent time at which all leaving particles were sent, and the wait for others began
 * @param arrived time at which the last expected particle had come
 * @param updated time at which the scan was in all maps
 * @param bytesMoved size of the poses and maps that were sent to other tasks, bytes
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

  /** Returns the time that the task computed for this key frame, also ahead, nanoseconds. */
  long computeNanos() {
    return earlyNanos + (matched - from) + aheadNanos + (sent - decided) + (updated - arrived);
  }
}
