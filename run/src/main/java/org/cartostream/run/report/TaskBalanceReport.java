package org.cartostream.run.report;

import java.util.List;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;

/**
 * Balance of the tasks' work, for people: all times are milliseconds per key frame.
 *
 * @param keyFrames number of key frames counted
 * @param particles number of particles of each task at the end
 * @param computeMillis mean computing time of each task
 * @param slowestMillis mean computing time of each key frame's slowest task
 * @param slowestOverMean cost of stragglers: the slowest task's time divided by the mean of all
 *     tasks; 1 without stragglers
 * @param decideMillis mean time of the decision which particles are resampled
 * @param wallMillis mean wall-clock time of a key frame, from the end of the previous one, or from
 *     its own admission if that is later
 * @param idleP10Millis 10th percentile of the time in which no task computed
 * @param idleP50Millis median of the time in which no task computed
 * @param idleP95Millis 95th percentile of the time in which no task computed
 */
public record TaskBalanceReport(
    long keyFrames,
    List<Integer> particles,
    List<Double> computeMillis,
    double slowestMillis,
    double slowestOverMean,
    double decideMillis,
    double wallMillis,
    double idleP10Millis,
    double idleP50Millis,
    double idleP95Millis) {

  private static final double NANOS_PER_MILLI = 1e6;

  /** Returns the report; null if no key frame was counted, as with a single thread. */
  public static TaskBalanceReport of(TaskBalance team) {
    if (team.keyFrames() == 0) {
      return null;
    }
    double scale = 1 / NANOS_PER_MILLI / team.keyFrames();
    return new TaskBalanceReport(
        team.keyFrames(),
        team.particles(),
        team.computeNanos().stream().map(nanos -> nanos * scale).toList(),
        team.slowestNanos() * scale,
        team.slowestOverMean(),
        team.decideNanos() * scale,
        team.wallNanos() * scale,
        team.idleP10Nanos() / NANOS_PER_MILLI,
        team.idleP50Nanos() / NANOS_PER_MILLI,
        team.idleP95Nanos() / NANOS_PER_MILLI);
  }
}
