package org.cartostream.bench.sequential;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Ratio of the slowest particle's computing time to the mean particle's, by key frame. Matching
 * counts, and entering the scan into the particle's map.
 *
 * <p>Left out are a log's first scan, which is matched to nothing, and key frames with a
 * resampling, as the scans that are entered again for a particle that has changed tasks are not its
 * work.
 *
 * @param median median over the key frames
 * @param worst maximum over the key frames
 */
public record StragglerRatio(double median, double worst) {

  /**
   * Number of passes, of which the least time counts: the work is the same in each, what else the
   * machine does is not.
   */
  private static final int PASSES = 3;

  /**
   * Runs readings with a task for each particle.
   *
   * @param stop is asked at each reading
   * @return null if the run was stopped, or if no key frame counts
   */
  public static StragglerRatio among(
      ServiceSettings settings, String robot, List<Reading> readings, BooleanSupplier stop) {
    int particles = settings.filter().particles();
    return of(TaskTimings.minimum(settings, robot, particles, readings, PASSES, stop));
  }

  /** Returns the ratio of times for which each particle has a task of its own. */
  static StragglerRatio of(List<ReadingTimes> readingTimeses) {
    double[] shares =
        readingTimeses.stream()
            .skip(1)
            .filter(readingTimes -> readingTimes.keyFrame() && !readingTimes.resampled())
            .mapToDouble(StragglerRatio::slowestOverMean)
            .sorted()
            .toArray();
    return shares.length == 0
        ? null
        : new StragglerRatio(shares[shares.length / 2], shares[shares.length - 1]);
  }

  private static double slowestOverMean(ReadingTimes readingTimes) {
    long[] nanos = new long[readingTimes.matchNanos().length];
    Arrays.setAll(nanos, readingTimes::computeNanos);
    return Arrays.stream(nanos).max().orElseThrow() / Arrays.stream(nanos).average().orElseThrow();
  }
}
