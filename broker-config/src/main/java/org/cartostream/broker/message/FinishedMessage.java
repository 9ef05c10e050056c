package org.cartostream.broker.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/**
 * The service's report on a run that is over, to the robot: the last message of a run.
 *
 * @param processed readings the filter took in
 * @param refused readings it could not use
 * @param lost readings whose outcome the service does not know
 * @param stageNanos nanoseconds spent by stage ({@code match}, {@code resample}, {@code exchange},
 *     {@code mapUpdate}, {@code publish} …), summed over tasks, in the order of processing; at most
 *     {@link #MAX_STAGES}
 * @param resamplings how often the particles were resampled
 * @param bytesMoved bytes of particles that moved from task to task
 * @param evaluations poses scored by the scan matcher
 * @param meanParticles how many were matched at a key frame, on average: fewer than there may be if
 *     their number follows their spread
 * @param odometry how often it was doubted
 * @param tasks matcher tasks that shared the particles
 * @param taskBalance balance of the load between them
 * @param recovery how often the run was restored after a failure, and what that cost
 * @param loops of the path that were closed when nothing more came
 * @param drivenMetres of a robot that was localised, by its motions between key frames: without the
 *     jumps of a pose that is found; 0 if it was mapped
 * @param failure why the run broke, a sentence for people; empty if it did not. A run that broke
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
   * @param times how often
   * @param reading the last one in the checkpoint from which the run went on the last time; 0 for
   *     the beginning
   * @param replayed readings that were processed again, all times together. Those that a broker
   *     delivers again to a dispatcher that takes a dead one's place do not count
   * @param nanos from when a failure was noticed until the run had come as far again, or a
   *     dispatcher that takes a dead one's place had its first reading processed; all times
   *     together
   * @param notDurable since which reading no checkpoint could be stored, and why, for people; empty
   *     if all that was processed is in one
   */
  public record RecoveryReport(
      long times, long reading, long replayed, long nanos, String notDurable) {

    public static final RecoveryReport NONE = new RecoveryReport(0, 0, 0, 0, "");

    /** Returns the report with one restore more. */
    public RecoveryReport and(long fromReading, long again) {
      return new RecoveryReport(times + 1, fromReading, replayed + again, nanos, notDurable);
    }

    /** The latest checkpoint could not be stored, for this reason; empty if it could. */
    public RecoveryReport notDurable(String why) {
      return new RecoveryReport(times, reading, replayed, nanos, why);
    }

    /** The latest time took so long. */
    public RecoveryReport took(long more) {
      return new RecoveryReport(times, reading, replayed, nanos + more, notDurable);
    }
  }

  /**
   * Balance of the load between a run's matcher tasks, over all key frames.
   *
   * @param keyFrames that were counted
   * @param computeNanos by task, nanoseconds of matching, moving and registering its particles; at
   *     most {@link #MAX_TASKS}
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

    public static final int MAX_TASKS = 1024;

    /** Before any key frame. */
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

    /** Mean over the tasks of what each computed, nanoseconds. */
    public double meanNanos() {
      return computeNanos.stream().mapToLong(Long::longValue).average().orElse(0);
    }

    /**
     * Returns what the slowest task of each key frame computed over the mean of all; 1 if all are
     * equal.
     */
    public double slowestOverMean() {
      return meanNanos() == 0 ? 1 : slowestNanos / meanNanos();
    }
  }
}
