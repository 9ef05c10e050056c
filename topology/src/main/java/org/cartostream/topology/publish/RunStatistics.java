package org.cartostream.topology.publish;

import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.topology.metrics.RobotMeters;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.timing.KeyFrameTiming;
import org.cartostream.topology.timing.StageTimes;
import org.cartostream.topology.timing.TaskUtilization;

/**
 * Statistics of a run: its costs and the outcomes of its readings, for the report at its end and
 * for the {@link RobotMeters}.
 */
public final class RunStatistics {

  private final int tasks;
  private final TaskUtilization taskUtilization;

  private final RobotMeters meters;

  private long processed;
  private long refused;
  private long lost;
  private long resamplings;
  private long evaluations;
  private long keyFrames;
  private long matched;
  private long publishNanos;
  private RecoveryReport recovery = RecoveryReport.NONE;
  private long latestServed;
  private StageTimes stageTimes = StageTimes.NONE;
  private OdometryStatistics odometryStatistics = OdometryStatistics.NONE;
  private LoopClosureReport loops = LoopClosureReport.NONE;
  private double drivenMetres;

  /**
   * @param robot the robot's id
   * @param tasks number of tasks that hold particles
   * @param oneClock true if all tasks are in one process, so that their times can be compared
   */
  RunStatistics(String robot, int tasks, boolean oneClock) {
    this.tasks = tasks;
    this.meters = new RobotMeters(robot, tasks);
    this.taskUtilization = new TaskUtilization(tasks, oneClock);
  }

  /**
   * All counts, as saved in a checkpoint.
   *
   * @param processed number of readings that were used
   * @param evaluations number of poses that scan matchers scored
   * @param matched number of matched particles, summed over key frames
   * @param publishNanos time that the publisher spent on paths and maps, nanoseconds
   * @param effort times of the tasks' work, by stage
   * @param doubts statistics of odometry
   * @param latestServed number of the latest reading with which all tasks were done
   */
  record Snapshot(
      long processed,
      long refused,
      long lost,
      long resamplings,
      long evaluations,
      long keyFrames,
      long matched,
      long publishNanos,
      RecoveryReport recovery,
      StageTimes effort,
      OdometryStatistics doubts,
      long latestServed,
      TaskUtilization.Snapshot times) {

    /** Statistics of a run that no service has processed yet. */
    static final Snapshot NOTHING =
        new Snapshot(
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            RecoveryReport.NONE,
            StageTimes.NONE,
            OdometryStatistics.NONE,
            0,
            new TaskUtilization.Snapshot(0, new long[0], new int[0], 0, 0, 0));
  }

  Snapshot snapshot() {
    return new Snapshot(
        processed,
        refused,
        lost,
        resamplings,
        evaluations,
        keyFrames,
        matched,
        publishNanos,
        recovery,
        stageTimes,
        odometryStatistics,
        latestServed,
        taskUtilization.snapshot());
  }

  /** Continues the counts of a checkpoint. The meters of this process still begin at 0. */
  void restore(Snapshot snapshot) {
    processed = snapshot.processed();
    refused = snapshot.refused();
    lost = snapshot.lost();
    resamplings = snapshot.resamplings();
    evaluations = snapshot.evaluations();
    keyFrames = snapshot.keyFrames();
    matched = snapshot.matched();
    publishNanos = snapshot.publishNanos();
    recovery = snapshot.recovery();
    stageTimes = snapshot.effort();
    odometryStatistics = snapshot.doubts();
    latestServed = snapshot.latestServed();
    taskUtilization.restore(snapshot.times());
  }

  void outcome(Outcome outcome) {
    meters.outcome(outcome);
    if (outcome instanceof Outcome.Processed) {
      processed++;
    } else if (outcome instanceof Outcome.Refused) {
      refused++;
    } else {
      lost++;
    }
  }

  void admitted(Step step) {
    odometryStatistics = odometryStatistics.and(step);
  }

  /** Adds a reading with which all tasks are done; a repeated one is ignored. */
  void served(Payload.Served by) {
    if (by.sequence() <= latestServed) {
      return;
    }
    latestServed = by.sequence();
    for (KeyFrameTiming keyFrameTiming : by.timings()) {
      stageTimes = stageTimes.and(keyFrameTiming);
      meters.done(keyFrameTiming);
    }
    if (by.timings().length > 0) {
      taskUtilization.keyFrame(by.admitted(), by.serviceNanos(), by.timings());
    }
  }

  void resampled(Payload.ResamplingResult resamplingResult) {
    taskUtilization.decided(resamplingResult.decideNanos());
    evaluations += resamplingResult.all().evaluations();
    keyFrames++;
    matched += resamplingResult.all().particles().length;
    if (resamplingResult.resampling().resampled()) {
      resamplings++;
      meters.resampled();
    }
  }

  /** Sets the report on the run's restores so far. */
  void recovered(RecoveryReport report) {
    recovery = report;
    meters.restored(report.times());
  }

  /** Sets the report on the loops that were closed at the run's end. */
  void closed(LoopClosureReport these) {
    loops = these;
  }

  /**
   * Adds the figures of a localised robot at the run's end.
   *
   * @param metres distance that the robot has driven, metres
   * @param scored number of poses that the scan matcher scored in search of the robot's
   */
  void localised(double metres, long scored) {
    drivenMetres = metres;
    evaluations += scored;
  }

  /** Removes the run's meters. */
  void close() {
    meters.close();
  }

  /** Adds time that the publisher spent on paths and maps, nanoseconds. */
  void published(long nanos) {
    publishNanos += nanos;
  }

  /**
   * Returns the report for the robot at the run's end.
   *
   * @param failure reason for which the run failed, for people; empty if it did not fail
   */
  FinishedMessage report(String failure) {
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put("match", stageTimes.matchNanos());
    stages.put("resample", stageTimes.resampleNanos());
    stages.put("exchange", stageTimes.exchangeNanos());
    stages.put("mapUpdate", stageTimes.mapUpdateNanos());
    stages.put("publish", publishNanos);
    return new FinishedMessage(
        processed,
        refused,
        lost,
        stages,
        resamplings,
        stageTimes.bytesMoved(),
        evaluations,
        keyFrames == 0 ? 0 : (double) matched / keyFrames,
        odometryStatistics,
        tasks,
        taskUtilization.teamwork(),
        recovery,
        loops,
        drivenMetres,
        failure);
  }
}
