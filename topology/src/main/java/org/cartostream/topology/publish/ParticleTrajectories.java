package org.cartostream.topology.publish;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.cartostream.broker.map.MapHistory;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.graph.OnlineLoopClosure;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.stream.Payload;

/**
 * The trajectories of one run's particles, up to the latest resampling decision that has arrived.
 *
 * <p>Owns the {@link TrajectoryTree}, the decisions on what has not entered, the {@link
 * LoopClosureJob} of the best path at the end, and the {@link MapHistory}: the newest map is as
 * large as all else here together, and goes when the paths go.
 */
final class ParticleTrajectories implements RunPaths {

  private final TrajectoryTree trajectoryTree;

  /** After a restore the robot is sent a whole map. */
  private transient MapHistory history = new MapHistory();

  private final DecidedKeyFrames decided = new DecidedKeyFrames();

  /** Runs searches for loops. */
  private transient Executor searches = Runnable::run;

  /** The search that was begun last; null if none was. */
  private transient OnlineLoopClosure begun;

  /**
   * The task that weighed each particle at the latest key frame; null before, and after a restore.
   */
  private transient int[] tasks;

  /** Number of the correction whose loops were told; they are told again after a restore. */
  private transient int toldLoops;

  /** Null until the run is done. */
  private transient LoopClosureJob loopClosureJob;

  ParticleTrajectories(FilterSettings filter) {
    this(new TrajectoryTree(filter));
  }

  /** Goes on with those of one thread. */
  ParticleTrajectories(TrajectoryTree tree) {
    this.trajectoryTree = tree;
  }

  /**
   * Completes the object when its state was read, see {@link
   * org.cartostream.checkpoint.StateCodec}.
   */
  private Object readResolve() {
    history = new MapHistory();
    searches = Runnable::run;
    return this;
  }

  /** Has searches for loops run elsewhere; also the one that was pending when it was saved. */
  void searchBy(Executor executor) {
    searches = executor;
    beginSearch();
  }

  private void beginSearch() {
    OnlineLoopClosure pending = trajectoryTree.pendingSearch().orElse(null);
    if (pending != null && pending != begun) {
      begun = pending;
      searches.execute(pending::run);
    }
  }

  @Override
  public DecidedKeyFrames decided() {
    return decided;
  }

  @Override
  public boolean canEnter(Step step) {
    return decided.has(step)
        && trajectoryTree
            .pendingSearch()
            .filter(search -> step.sequence() >= search.dueAt() && !search.isDone())
            .isEmpty();
  }

  @Override
  public Optional<Payload.ResamplingResult> enter(Step step) {
    if (!step.keyFrame()) {
      trajectoryTree.addIntermediate(step);
      return Optional.empty();
    }
    Payload.ResamplingResult resamplingResult = decided.take(step);
    trajectoryTree.addKeyFrame(step, resamplingResult.all(), resamplingResult.resampling());
    tasks = tasksOfNew(resamplingResult);
    beginSearch();
    return Optional.of(resamplingResult);
  }

  @Override
  public RobotPose current() {
    return trajectoryTree.robotPose();
  }

  /** The paths themselves. */
  TrajectoryTree tree() {
    return trajectoryTree;
  }

  @Override
  public Optional<ParticlesMessage> particles(Step step, int max) {
    if (!step.keyFrame() || tasks == null || max == 0) {
      return Optional.empty();
    }
    return Optional.of(
        ParticlesMessage.of(trajectoryTree.drawn(max), trajectoryTree::particle, i -> tasks[i]));
  }

  @Override
  public Optional<LoopsMessage> newLoops() {
    int correction = trajectoryTree.correction().number();
    if (correction == toldLoops) {
      return Optional.empty();
    }
    toldLoops = correction;
    return Optional.of(new LoopsMessage(trajectoryTree.loops()));
  }

  /** A new particle lies where its parent was weighed. */
  private static int[] tasksOfNew(Payload.ResamplingResult result) {
    int[] owners = result.owners();
    return IntStream.of(result.resampling().parents()).map(parent -> owners[parent]).toArray();
  }

  @Override
  public boolean changesMap(Step step, MapPublisher maps) {
    return step.keyFrame() || maps.canCorrect(trajectoryTree);
  }

  @Override
  public Optional<MapMessage> drawnBy(MapPublisher maps, long version) {
    return maps.draw(trajectoryTree, history, version);
  }

  @Override
  public long mapBytes() {
    return trajectoryTree.mapBytes();
  }

  @Override
  public long heldScanBytes() {
    return trajectoryTree.heldScanBytes();
  }

  @Override
  public Optional<LoopClosureJob.Result> end(
      Function<RecordedPath, LoopClosureJob> closer, RunStatistics statistics) {
    if (loopClosureJob == null) {
      loopClosureJob = closer.apply(trajectoryTree.bestPath());
    }
    return loopClosureJob.result();
  }

  @Override
  public boolean isClosing() {
    return loopClosureJob != null;
  }

  @Override
  public void close() {
    if (loopClosureJob != null) {
      loopClosureJob.cancel();
    }
  }
}
