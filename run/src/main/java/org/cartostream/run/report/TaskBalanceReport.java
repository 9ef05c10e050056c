package org.cartostream.run.report;

import java.util.List;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;

/**
 * Balance of the tasks' work, for people: all times are milliseconds per key frame.
 *
 * @param keyFrames that were counted
 * @param particles of each task at the end
 * @param computeMillis of each task, mean
 * @param slowestMillis of the task that computed longest, mean
 * @param slowestOverMean what stragglers cost: the slowest over the mean of all; 1 without any
 * @param decideMillis in which it was decided what becomes of the particles, mean
 * @param wallMillis from the end of the key frame before, or its admission if that was later; mean
 * @param idleP10Millis 10 % of the key frames had less time in which no task computed
 * @param idleP50Millis half of the key frames had less
 * @param idleP95Millis 95 % of the key frames had less
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

  /** Null if there was nobody to work with. */
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
