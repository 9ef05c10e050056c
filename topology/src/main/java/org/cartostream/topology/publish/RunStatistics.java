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
   * @param robot its id
   * @param oneClock whether all tasks are in one process
   */
  RunStatistics(String robot, int tasks, boolean oneClock) {
    this.tasks = tasks;
    this.meters = new RobotMeters(robot, tasks);
    this.taskUtilization = new TaskUtilization(tasks, oneClock);
  }

  /**
   * All counts.
   *
   * @param matched particles, summed over key frames
   * @param latestServed the latest reading that all tasks were done with
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

    /** Statistics of a run that a service has not had. */
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

  /** Counts on from what another has counted. What this process shows begins at 0. */
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

  /** All tasks are done with a reading; what comes again does not count. */
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

  /** Takes the cost of the run's restores so far. */
  void recovered(RecoveryReport report) {
    recovery = report;
    meters.restored(report.times());
  }

  /** The path's loops were closed, at the end. */
  void closed(LoopClosureReport these) {
    loops = these;
  }

  /**
   * The robot was localised, and nothing more came.
   *
   * @param metres that it has driven
   * @param scored poses, by the scan matcher to find its own
   */
  void localised(double metres, long scored) {
    drivenMetres = metres;
    evaluations += scored;
  }

  /** Nobody can look at the figures of this run any more. */
  void close() {
    meters.close();
  }

  /** Time that the publisher spent on paths and maps. */
  void published(long nanos) {
    publishNanos += nanos;
  }

  /**
   * @param failure why the run broke, for people; empty if it did not
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
