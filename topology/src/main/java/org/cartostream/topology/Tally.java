package org.cartostream.topology;

import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.Outcome;
import org.cartostream.slam.filter.Doubts;
import org.cartostream.slam.filter.LoopsClosed;
import org.cartostream.slam.filter.Step;

/**
 * Counts what a run cost and what came of its readings, for the report at its end, and for whoever
 * looks at the {@link RobotMeters} meanwhile.
 */
final class Tally {

  private final int tasks;
  private final Timesheet timesheet;
  private final String robot;

  /** Only while the publisher that counts speaks to the robot: others count the same. */
  private RobotMeters meters;

  private long processed;
  private long refused;
  private long lost;
  private long resamplings;
  private long evaluations;
  private long publishNanos;
  private long rebuilt;
  private long latestServed;
  private Effort effort = Effort.NONE;
  private Doubts doubts = Doubts.NONE;
  private LoopsClosed loops = LoopsClosed.NONE;

  /**
   * @param robot its id
   * @param shown whether the process shows the figures
   * @param oneClock whether all tasks are in one process
   */
  Tally(String robot, int tasks, boolean oneClock, boolean shown) {
    this.robot = robot;
    this.tasks = tasks;
    this.meters = new RobotMeters(robot, tasks, shown);
    this.timesheet = new Timesheet(tasks, oneClock);
  }

  /**
   * All counts.
   *
   * @param latestServed the latest reading that all tasks were done with
   */
  record Known(
      long processed,
      long refused,
      long lost,
      long resamplings,
      long evaluations,
      long publishNanos,
      long rebuilt,
      Effort effort,
      Doubts doubts,
      long latestServed,
      Timesheet.Sums times) {}

  Known known() {
    return new Known(
        processed,
        refused,
        lost,
        resamplings,
        evaluations,
        publishNanos,
        rebuilt,
        effort,
        doubts,
        latestServed,
        timesheet.sums());
  }

  /** Counts on from what another has counted. What this process shows begins at 0. */
  void goOn(Known known) {
    processed = known.processed();
    refused = known.refused();
    lost = known.lost();
    resamplings = known.resamplings();
    evaluations = known.evaluations();
    publishNanos = known.publishNanos();
    rebuilt = known.rebuilt();
    effort = known.effort();
    doubts = known.doubts();
    latestServed = known.latestServed();
    timesheet.goOn(known.times());
  }

  /** The process shows the figures, or others do. They count from now on. */
  void show(boolean shown) {
    meters.close();
    meters = new RobotMeters(robot, tasks, shown);
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
    doubts = doubts.and(step);
  }

  /** All tasks are done with a reading; what comes again does not count. */
  void served(Payload.Served by) {
    if (by.sequence() <= latestServed) {
      return;
    }
    latestServed = by.sequence();
    for (Stint stint : by.stints()) {
      effort = effort.and(stint);
      meters.done(stint);
    }
    if (by.stints().length > 0) {
      timesheet.keyFrame(by.admitted(), by.serviceNanos(), by.stints());
    }
  }

  void judged(Payload.Judgement judgement) {
    timesheet.decided(judgement.decideNanos());
    evaluations += judgement.all().evaluations();
    if (judgement.resampling().resampled()) {
      resamplings++;
      meters.resampled();
    }
  }

  /** Particles were lost, and made anew of others. */
  void rebuilt(int particles) {
    rebuilt += particles;
    meters.rebuilt(particles);
  }

  /** The path's loops were closed, at the end. */
  void closed(LoopsClosed these) {
    loops = these;
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
    stages.put("match", effort.matchNanos());
    stages.put("resample", effort.resampleNanos());
    stages.put("exchange", effort.exchangeNanos());
    stages.put("register", effort.registerNanos());
    stages.put("publish", publishNanos);
    return new FinishedMessage(
        processed,
        refused,
        lost,
        stages,
        resamplings,
        effort.bytesMoved(),
        evaluations,
        doubts,
        tasks,
        timesheet.teamwork(),
        rebuilt,
        loops,
        failure);
  }
}
