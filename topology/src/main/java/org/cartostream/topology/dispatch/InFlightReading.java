package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * A reading that was admitted to the filter and is being processed.
 *
 * <p>Owns the tasks' reports on the reading. The reading is served when all matchers are done with
 * it. It is then also done, except that a noted reading must be answered by the publisher first.
 */
final class InFlightReading {

  private final long sequence;
  private final long admitted;
  private final int matchers;
  private final List<KeyFrameTiming> keyFrameTimings = new ArrayList<>();
  private final boolean isNoted;
  private boolean keyFrame;
  private boolean servedIsSaid;
  private boolean isAnswered;
  private long mapBytes;

  /**
   * @param sequence number of the reading
   * @param matchers number of tasks that hold particles
   * @param isNoted true if the reading is noted as a suspect of a crash, so that the publisher must
   *     report its answer
   */
  InFlightReading(long sequence, int matchers, boolean isNoted) {
    this.sequence = sequence;
    this.admitted = System.nanoTime();
    this.matchers = matchers;
    this.isNoted = isNoted;
  }

  long sequence() {
    return sequence;
  }

  /** Returns the time at which the reading was admitted, by {@link System#nanoTime}. */
  long admitted() {
    return admitted;
  }

  /** Notes that the reading is a key frame, which goes to all matchers. */
  void markKeyFrame() {
    keyFrame = true;
  }

  /** Returns true if the reading is noted as a suspect of a crash. */
  boolean isNoted() {
    return isNoted;
  }

  /** Notes that a task is done with its part of the reading; a repeated report counts once. */
  void done(Payload.Done by) {
    if (by instanceof Payload.Ready ready) {
      ready(ready);
    } else {
      isAnswered = true;
    }
  }

  private void ready(Payload.Ready by) {
    KeyFrameTiming timing = by.timing();
    if (keyFrameTimings.stream().noneMatch(other -> other.task() == timing.task())) {
      keyFrameTimings.add(timing);
      mapBytes += by.mapBytes();
    }
  }

  /** Returns the memory of all tasks' maps, bytes, if the tasks were asked to count it; else 0. */
  long mapBytes() {
    return mapBytes;
  }

  /** Returns true at the first call after all matchers are done with the reading; else false. */
  boolean becomesServed() {
    boolean isServed = !keyFrame || keyFrameTimings.size() == matchers;
    boolean becomes = isServed && !servedIsSaid;
    servedIsSaid |= isServed;
    return becomes;
  }

  /** Returns true if the reading was served, and answered if it is noted. */
  boolean isDone() {
    return servedIsSaid && (isAnswered || !isNoted);
  }

  /** Returns the timings of the tasks in the order of their reports. */
  KeyFrameTiming[] timings() {
    return keyFrameTimings.toArray(new KeyFrameTiming[0]);
  }
}
