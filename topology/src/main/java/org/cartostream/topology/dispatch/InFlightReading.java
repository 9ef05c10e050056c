package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * A reading that was admitted to the filter and is being processed.
 *
 * <p>Owns what the tasks have reported of it. It is served when the matchers are done with it, and
 * done then, too, unless the publisher is to say that it has answered it.
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
   * @param sequence its number
   * @param matchers how many tasks hold particles
   * @param isNoted true if the publisher is to say that it has answered it
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

  /** The time at which it was admitted, by {@link System#nanoTime}. */
  long admitted() {
    return admitted;
  }

  /** Notes that the reading is a key frame, which goes to the tasks. */
  void markKeyFrame() {
    keyFrame = true;
  }

  /** True if it is noted as one at which a process may end. */
  boolean isNoted() {
    return isNoted;
  }

  /** A task is done with its part of it; what comes twice counts once. */
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

  /** Returns what all tasks' maps take, if they were to count it. */
  long mapBytes() {
    return mapBytes;
  }

  /** True once, if no matcher has anything to do with it any more. */
  boolean becomesServed() {
    boolean isServed = !keyFrame || keyFrameTimings.size() == matchers;
    boolean becomes = isServed && !servedIsSaid;
    servedIsSaid |= isServed;
    return becomes;
  }

  /** True if it was served, and no task has anything to do with it any more. */
  boolean isDone() {
    return servedIsSaid && (isAnswered || !isNoted);
  }

  /** Returns the timings of the tasks in the order of their reports. */
  KeyFrameTiming[] timings() {
    return keyFrameTimings.toArray(new KeyFrameTiming[0]);
  }
}
