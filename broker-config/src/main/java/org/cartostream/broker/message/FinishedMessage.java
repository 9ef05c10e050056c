package org.cartostream.broker.message;

import java.util.Collections;
import java.util.LinkedHashMap;
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
 *     {@code register}, {@code publish} …), summed over tasks, in the order of processing; at most
 *     {@link #MOST_STAGES}
 * @param resamplings how often the particles were resampled
 * @param bytesMoved bytes of particles that moved from task to task
 * @param evaluations poses scored by the scan matcher
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
    OdometryStatistics odometry,
    int tasks,
    TaskBalance taskBalance,
    RecoveryReport recovery,
    LoopClosureReport loops,
    double drivenMetres,
    String failure)
    implements Message {

  public static final int MOST_STAGES = 64;

  public FinishedMessage {
    if (stageNanos.size() > MOST_STAGES) {
      throw new IllegalArgumentException(
          "at most " + MOST_STAGES + " stages, not " + stageNanos.size());
    }
    stageNanos = Collections.unmodifiableMap(new LinkedHashMap<>(stageNanos));
  }

  /**
   * How often a run was restored after a failure, and what that cost.
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

    /** With one time more. */
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
}
