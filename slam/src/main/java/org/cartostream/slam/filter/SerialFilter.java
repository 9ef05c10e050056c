package org.cartostream.slam.filter;

import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * The whole filter in one thread: what the topology computes with many tasks, to the last bit. Also
 * the shortest way to read how a step goes.
 */
public final class SerialFilter {

  /** What became of a reading. */
  public sealed interface Result {
    /** It was used; the pose is the best particle's, in the {@code map} frame. */
    record Processed(Pose pose) implements Result {}

    /** It was not. */
    record Refused(Refusal.Because why) implements Result {}
  }

  public SerialFilter(FilterSettings settings, String robot) {
    throw new UnsupportedOperationException("soon");
  }

  public Result process(long sequence, Reading reading) {
    throw new UnsupportedOperationException("soon");
  }

  /** The paths so far, and the map along the best of them. */
  public Lineage lineage() {
    throw new UnsupportedOperationException("soon");
  }
}
