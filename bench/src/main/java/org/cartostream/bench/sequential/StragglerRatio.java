package org.cartostream.bench.sequential;

import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Ratio of the slowest particle's computing time to the mean one's, by key frame: with matching,
 * and with entering the scan into its map.
 *
 * <p>Left out are a log's first scan, which is matched to nothing, and key frames with a
 * resampling: what is entered again for a particle that has changed tasks is not its work.
 *
 * @param median over the key frames
 * @param worst of all key frames
 */
public record StragglerRatio(double median, double worst) {

  /** The work is the same in each pass; what else the machine did meanwhile is not. */
  private static final int PASSES = 3;

  /**
   * Runs the readings with a task for each particle.
   *
   * @param stop is asked at each reading
   * @return null if it was stopped, or if nothing is left to count
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
