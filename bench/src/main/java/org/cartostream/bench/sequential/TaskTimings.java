package org.cartostream.bench.sequential;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Measurement of each task's computing time for each reading, in several passes: the work is the
 * same in each, so the least time is what it takes, and the rest is what came between (a garbage
 * collection, a compiler, another process). The clock is that of the thread's computing time.
 */
public final class TaskTimings {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private TaskTimings() {}

  /**
   * Runs readings with a number of tasks in one thread, in several passes; returns the least times.
   *
   * @param passes number of passes, at least 1
   * @param stop is asked at each reading; if true, no times are returned
   */
  public static List<ReadingTimes> minimum(
      ServiceSettings settings,
      String robot,
      int tasks,
      List<Reading> readings,
      int passes,
      BooleanSupplier stop) {
    List<ReadingTimes> min = null;
    for (int pass = 0; pass < passes; pass++) {
      List<ReadingTimes> readingTimeses = measure(settings, robot, tasks, readings, stop);
      if (stop.getAsBoolean()) {
        return List.of(); // Half a pass is none.
      }
      min = min == null ? readingTimeses : minimum(min, readingTimeses);
    }
    return min;
  }

  private static List<ReadingTimes> measure(
      ServiceSettings settings,
      String robot,
      int tasks,
      List<Reading> readings,
      BooleanSupplier stop) {
    SequentialTasks sequentialTasks =
        new SequentialTasks(settings, robot, tasks, THREADS::getCurrentThreadCpuTime);
    List<ReadingTimes> readingTimeses = new ArrayList<>();
    for (int i = 0; i < readings.size() && !stop.getAsBoolean(); i++) {
      Optional<ReadingTimes> readingTimes = sequentialTasks.process(i + 1L, readings.get(i));
      readingTimes.ifPresent(readingTimeses::add);
    }
    return readingTimeses;
  }

  /** Returns the lesser of each time of two passes over the same readings. */
  public static List<ReadingTimes> minimum(List<ReadingTimes> one, List<ReadingTimes> other) {
    if (one.size() != other.size()) {
      throw new IllegalArgumentException(
          "passes over " + one.size() + " and " + other.size() + " readings are not comparable");
    }
    return IntStream.range(0, one.size()).mapToObj(i -> minimum(one.get(i), other.get(i))).toList();
  }

  private static ReadingTimes minimum(ReadingTimes one, ReadingTimes other) {
    return new ReadingTimes(
        Math.min(one.intakeNanos(), other.intakeNanos()),
        one.keyFrame(),
        minimum(one.matchNanos(), other.matchNanos()),
        minimum(one.aheadNanos(), other.aheadNanos()),
        one.ahead(),
        Math.min(one.decideNanos(), other.decideNanos()),
        minimum(one.sendNanos(), other.sendNanos()),
        minimum(one.mapUpdateNanos(), other.mapUpdateNanos()),
        Math.min(one.publishNanos(), other.publishNanos()),
        one.statementBytes(),
        one.resampled(),
        one.transfers());
  }

  private static long[] minimum(long[] one, long[] other) {
    long[] min = new long[one.length];
    Arrays.setAll(min, i -> Math.min(one[i], other[i]));
    return min;
  }

  /** Returns the computing time of the slowest task of each reading, mean over all readings. */
  public static double slowestComputeNanos(List<ReadingTimes> readingTimeses) {
    return readingTimeses.stream()
        .mapToDouble(
            readingTimes ->
                IntStream.range(0, readingTimes.matchNanos().length)
                    .mapToLong(readingTimes::computeNanos)
                    .max()
                    .orElse(0))
        .average()
        .orElse(0);
  }

  /**
   * Returns the mean time of one thread for a reading, from times that were measured with one task.
   */
  public static double serialNanos(List<ReadingTimes> readingTimeses) {
    return readingTimeses.stream()
        .mapToDouble(
            readingTimes ->
                readingTimes.intakeNanos()
                    + readingTimes.publishNanos()
                    + readingTimes.decideNanos()
                    + Arrays.stream(readingTimes.matchNanos()).sum()
                    + Arrays.stream(readingTimes.aheadNanos()).sum()
                    + Arrays.stream(readingTimes.sendNanos()).sum()
                    + Arrays.stream(readingTimes.mapUpdateNanos()).sum())
        .average()
        .orElse(0);
  }
}
