package org.cartostream.broker.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * Report of the service on a finished run, service to robot: the last message of a run.
 *
 * @param processed number of readings that the filter took in
 * @param refused number of readings that could not be used
 * @param lost number of readings whose outcome the service does not know
 * @param stageNanos time by stage ({@code match}, {@code resample}, {@code exchange}, {@code
 *     mapUpdate}, {@code publish} …), nanoseconds, summed over tasks, in the order of processing;
 *     at most {@link #MAX_STAGES}
 * @param resamplings number of times that the particles were resampled
 * @param bytesMoved bytes of particles that moved from task to task
 * @param evaluations number of poses that the scan matcher scored
 * @param meanParticles mean number of particles at a key frame; less than {@code slam.particles} if
 *     KLD-sampling adapts the number
 * @param odometry number of readings at which odometry was doubted, and errors of mount and stamps
 * @param tasks number of matcher tasks that shared the particles
 * @param taskBalance balance of the load between these tasks
 * @param recovery number and cost of the run's restores after failures
 * @param loops figures of the loop closure of the whole path at the end
 * @param drivenMetres distance that a localised robot drove, by its motions between key frames:
 *     without the jumps of a pose that is found; 0 if the robot made a map
 * @param failure why the run broke, a sentence for people; empty if it did not break. A broken run
 *     may have no trajectory and no map
 */
public record FinishedMessage(
    long processed,
    long refused,
    long lost,
    Map<String, Long> stageNanos,
    long resamplings,
    long bytesMoved,
    long evaluations,
    double meanParticles,
    OdometryStatistics odometry,
    int tasks,
    TaskBalance taskBalance,
    RecoveryReport recovery,
    LoopClosureReport loops,
    double drivenMetres,
    String failure)
    implements Message {

  public static final int MAX_STAGES = 64;

  public FinishedMessage {
    if (stageNanos.size() > MAX_STAGES) {
      throw new IllegalArgumentException(
          "at most " + MAX_STAGES + " stages, not " + stageNanos.size());
    }
    stageNanos = Collections.unmodifiableMap(new LinkedHashMap<>(stageNanos));
  }

  /**
   * Report of a run's restores after failures, and of their cost.
   *
   * @param times number of restores
   * @param reading number of the last reading in the checkpoint of the latest restore; 0 for the
   *     beginning
   * @param replayed number of readings that were processed again, in all restores together.
   *     Readings that a broker delivers again to a dispatcher that takes a dead one's place do not
   *     count
   * @param nanos time from the discovery of a failure until the run had come as far again, or until
   *     a dispatcher that takes a dead one's place had its first reading processed; in all restores
   *     together
   * @param notDurable since which reading no checkpoint could be stored, and why, for people; empty
   *     if a checkpoint has all processed readings
   */
  public record RecoveryReport(
      long times, long reading, long replayed, long nanos, String notDurable) {

    public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, "");

    /** Returns the report with one restore more, of {@code again} replayed readings. */
    public RecoveryReport and(long fromReading, long again) {
      return new RecoveryReport(times + 1, fromReading, replayed + again, nanos, notDurable);
    }

    /**
     * Returns the report with the reason why the latest checkpoint could not be stored; empty if it
     * could.
     */
    public RecoveryReport notDurable(String why) {
      return new RecoveryReport(times, reading, replayed, nanos, why);
    }

    /** Returns the report with the duration of the latest restore added, nanoseconds. */
    public RecoveryReport took(long more) {
      return new RecoveryReport(times, reading, replayed, nanos + more, notDurable);
    }
  }

  /**
   * Balance of the load between a run's matcher tasks, over all key frames.
   *
   * @param keyFrames number of key frames that were counted
   * @param computeNanos for each task, nanoseconds of matching, moving and updating the maps of its
   *     particles; at most {@link #MAX_TASKS}
   * @param particles for each task, its number of particles at the end
   * @param slowestNanos sum over the key frames of the time of the task that computed longest,
   *     nanoseconds; divided by the mean of {@code computeNanos} it is the cost of stragglers
   * @param decideNanos nanoseconds of deciding the resampling
   * @param wallNanos wall-clock nanoseconds of all key frames, each from the end of the one before
   *     or from its admission, whichever was later
   * @param idleP10Nanos 10th percentile, over the key frames, of the time in which no task
   *     computed, nanoseconds; 0 where the tasks have no clock in common
   * @param idleP50Nanos median of the time in which no task computed
   * @param idleP95Nanos 95th percentile of the time in which no task computed
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

    public static final int MAX_TASKS = 1024;

    /** Balance before any key frame. */
    public static final TaskBalance NONE =
        new TaskBalance(0, List.of(), List.of(), 0, 0, 0, 0, 0, 0);

    public TaskBalance {
      if (computeNanos.size() > MAX_TASKS || computeNanos.size() != particles.size()) {
        throw new IllegalArgumentException(
            "times of %d tasks and particles of %d; there must be as many of both, at most %d"
                .formatted(computeNanos.size(), particles.size(), MAX_TASKS));
      }
      computeNanos = List.copyOf(computeNanos);
      particles = List.copyOf(particles);
    }

    /** Returns the mean of the tasks' computing times, nanoseconds. */
    public double meanNanos() {
      return computeNanos.stream().mapToLong(Long::longValue).average().orElse(0);
    }

    /**
     * Returns the computing time of the slowest task of each key frame over the mean of all tasks;
     * 1 if all are equal.
     */
    public double slowestOverMean() {
      return meanNanos() == 0 ? 1 : slowestNanos / meanNanos();
    }
  }
}
