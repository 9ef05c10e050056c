package org.cartostream.broker.message;

import java.util.List;

/**
 * Balance of the load between a run's matcher tasks, over all key frames.
 *
 * @param keyFrames that were counted
 * @param computeNanos by task, nanoseconds of matching, moving and registering its particles; at
 *     most {@link #MOST_TASKS}
 * @param particles by task, how many it held at the end
 * @param slowestNanos for each key frame that of the task that computed longest, in sum; over the
 *     mean of {@code computeNanos} it is the cost of stragglers
 * @param decideNanos nanoseconds of deciding the resampling
 * @param wallNanos nanoseconds of all key frames, each from the end of the one before or from its
 *     admission, whichever was later
 * @param idleP10Nanos 10 % of the key frames had less time in which no task computed; 0 where the
 *     tasks have no clock in common
 * @param idleP50Nanos half of the key frames had less
 * @param idleP95Nanos 95 % of the key frames had less
 */
public record TaskBalance(
    long keyFrames,
    List<Long> computeNanos,
    List<Integer> particles,
    long slowestNanos,
    long decideNanos,
    long wallNanos,
    long idleP10Nanos,
    long idleP50Nanos,
    long idleP95Nanos) {

  public static final int MOST_TASKS = 1024;

  /** Before any key frame. */
  public static final TaskBalance NONE = new TaskBalance(0, List.of(), List.of(), 0, 0, 0, 0, 0, 0);

  public TaskBalance {
    if (computeNanos.size() > MOST_TASKS || computeNanos.size() != particles.size()) {
      throw new IllegalArgumentException(
          "times of %d tasks and particles of %d; there must be as many of both, at most %d"
              .formatted(computeNanos.size(), particles.size(), MOST_TASKS));
    }
    computeNanos = List.copyOf(computeNanos);
    particles = List.copyOf(particles);
  }

  /** Mean over the tasks of what each computed, nanoseconds. */
  public double meanNanos() {
    return computeNanos.stream().mapToLong(Long::longValue).average().orElse(0);
  }

  /** What the slowest task of each key frame computed over the mean of all; 1 if all are equal. */
  public double slowestOverMean() {
    return meanNanos() == 0 ? 1 : slowestNanos / meanNanos();
  }
}
