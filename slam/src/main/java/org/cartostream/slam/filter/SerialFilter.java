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
    /**
     * It was used.
     *
     * @param pose the best particle's, in the {@code map} frame
     * @param effectiveSampleSize Neff after the latest key frame, from 1 to the number of particles
     */
    record Processed(Pose pose, double effectiveSampleSize) implements Result {}

    /** It was not. */
    record Refused(Refusal.Because why) implements Result {}
  }

  /**
   * What all readings so far have cost; for reports only.
   *
   * @param matchNanos nanoseconds of moving, matching and weighing
   * @param resampleNanos nanoseconds of deciding, and of copying particles
   * @param registerNanos nanoseconds of entering scans into maps
   * @param resamplings how often the particles were resampled
   * @param evaluations poses scored by the scan matcher
   */
  public record Cost(
      long matchNanos,
      long resampleNanos,
      long registerNanos,
      long resamplings,
      long evaluations) {}

  public SerialFilter(FilterSettings settings, String robot) {
    throw new UnsupportedOperationException("soon");
  }

  public Result process(long sequence, Reading reading) {
    throw new UnsupportedOperationException("soon");
  }

  /** What the readings so far have cost. */
  public Cost cost() {
    throw new UnsupportedOperationException("soon");
  }

  /** The paths so far, and the map along the best of them. */
  public Lineage lineage() {
    throw new UnsupportedOperationException("soon");
  }
}
