package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * A reading that was admitted to the filter and is being processed.
 *
 * <p>Owns what the tasks have reported of it.
 */
final class InFlightReading {

  private final long sequence;
  private final long stampNanos;
  private final long admitted;
  private final int matchers;
  private final List<KeyFrameTiming> keyFrameTimings = new ArrayList<>();
  private boolean keyFrame;
  private long mapBytes;

  /**
   * @param sequence its number
   * @param stampNanos by the robot's clock
   * @param matchers how many tasks hold particles
   */
  InFlightReading(long sequence, long stampNanos, int matchers) {
    this.sequence = sequence;
    this.stampNanos = stampNanos;
    this.admitted = System.nanoTime();
    this.matchers = matchers;
  }

  long sequence() {
    return sequence;
  }

  long stampNanos() {
    return stampNanos;
  }

  /** When it was admitted, by {@link System#nanoTime}. */
  long admitted() {
    return admitted;
  }

  /** It goes to the tasks. */
  void isKeyFrame() {
    keyFrame = true;
  }

  /** A task is done with its part of it; what comes twice counts once. */
  void done(Payload.Ready by) {
    KeyFrameTiming timing = by.timing();
    if (keyFrameTimings.stream().noneMatch(other -> other.task() == timing.task())) {
      keyFrameTimings.add(timing);
      mapBytes += by.mapBytes();
    }
  }

  /** What all tasks' maps take, if they were to count it. */
  long mapBytes() {
    return mapBytes;
  }

  /** True if no task has anything to do with it any more. */
  boolean isDone() {
    return !keyFrame || keyFrameTimings.size() == matchers;
  }

  /** What the tasks did, in the order in which they reported it. */
  KeyFrameTiming[] timings() {
    return keyFrameTimings.toArray(new KeyFrameTiming[0]);
  }
}
