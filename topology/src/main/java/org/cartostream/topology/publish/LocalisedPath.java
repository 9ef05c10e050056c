package org.cartostream.topology.publish;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.localisation.LocalisationEstimate;
import org.cartostream.slam.localisation.LocalisationFilters;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.stream.Payload;

/**
 * The path of a robot that is localised in a known map, as estimated at each reading. The map never
 * changes, and is not sent to the robot.
 *
 * <p>Owns the {@link LocalisationEstimate}, the poses so far, the decisions on key frames that have
 * not entered, and the number of the latest key frame at which particles were weighed.
 */
final class LocalisedPath implements RunPaths {

  private final LocalisationEstimate estimate;
  private final PendingDecisions decided = new PendingDecisions();
  private final ArrayList<PathPose> path = new ArrayList<>();

  /** Pose at the latest reading; null before the first. */
  private RobotPose current;

  /** Task that weighed each particle at the reading {@code weighedAt}. */
  private transient int[] tasks;

  /** Number of the latest reading at which particles were weighed. */
  private long weighedAt;

  LocalisedPath(LocalisationFilters filters) {
    estimate = new LocalisationEstimate(filters);
  }

  /** Restores the connection to the known map, after this object was decoded from a checkpoint. */
  void resume(LocalisationFilters filters) {
    estimate.resume(filters);
  }

  @Override
  public PendingDecisions decided() {
    return decided;
  }

  @Override
  public boolean canEnter(Step step) {
    return decided.has(step);
  }

  @Override
  public Optional<Payload.ResamplingResult> enter(Step step) {
    Optional<Payload.ResamplingResult> entered = Optional.empty();
    if (step.keyFrame()) {
      Payload.ResamplingResult result = decided.take(step);
      estimate.addKeyFrame(step, result.all(), result.resampling());
      if (result.all().evidence() > 0) {
        tasks = result.owners();
        weighedAt = step.sequence();
      }
      entered = Optional.of(result);
    }
    current = estimate.pose(step);
    path.add(new PathPose(step.sequence(), step.stampNanos(), current.inMap()));
    return entered;
  }

  @Override
  public RobotPose current() {
    return current;
  }

  @Override
  public Optional<ParticlesMessage> particles(Step step, int max) {
    return step.sequence() == weighedAt && max > 0
        ? Optional.of(ParticlesMessage.of(estimate.drawn(max), estimate::weighed, i -> tasks[i]))
        : Optional.empty();
  }

  @Override
  public Optional<LoopsMessage> newLoops() {
    return Optional.empty();
  }

  @Override
  public boolean changesMap(Step step, MapPublisher maps) {
    return maps.hasKnown();
  }

  @Override
  public Optional<MapMessage> drawnBy(MapPublisher maps, long version) {
    maps.showKnown();
    return Optional.empty();
  }

  @Override
  public long mapBytes() {
    return 0;
  }

  @Override
  public long heldScanBytes() {
    return 0;
  }

  @Override
  public Optional<LoopClosureJob.Result> end(
      Function<RecordedPath, LoopClosureJob> closer, RunStatistics statistics) {
    statistics.localised(estimate.drivenMetres(), estimate.evaluations());
    return Optional.of(
        new LoopClosureJob.Result(
            List.copyOf(path), Optional.empty(), LoopClosureReport.NONE, List.of(), ""));
  }

  @Override
  public boolean isClosing() {
    return false;
  }

  @Override
  public void close() {}
}
