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
 * <p>Owns the {@link TrajectoryTree}, the decisions on key frames that have not entered, the {@link
 * LoopClosureJob} of the best path at the end, and the {@link MapHistory}, whose newest map is as
 * large as everything else here.
 */
final class ParticleTrajectories implements RunPaths {

  private final TrajectoryTree trajectoryTree;

  /** History of the run's maps; not saved, so that the robot gets a whole map after a restore. */
  private transient MapHistory history = new MapHistory();

  private final PendingDecisions decided = new PendingDecisions();

  /** Executor of searches for loops. */
  private transient Executor searches = Runnable::run;

  /** Search for loops that was begun last; null if none was. */
  private transient OnlineLoopClosure begun;

  /**
   * Task that weighed each particle at the latest key frame; null before the first, and after a
   * restore.
   */
  private transient int[] tasks;

  /**
   * Number of the latest correction whose loops were sent; not saved, so that loops are sent again
   * after a restore.
   */
  private transient int toldLoops;

  /** Job that closes loops at the run's end; null before. */
  private transient LoopClosureJob loopClosureJob;

  ParticleTrajectories(FilterSettings filter) {
    this(new TrajectoryTree(filter));
  }

  /** Continues the trajectories of a run that was processed by one thread. */
  ParticleTrajectories(TrajectoryTree tree) {
    this.trajectoryTree = tree;
  }

  /**
   * Completes the object after it was decoded, see {@link org.cartostream.checkpoint.StateCodec}.
   */
  private Object readResolve() {
    history = new MapHistory();
    searches = Runnable::run;
    return this;
  }

  /**
   * Sets the executor of searches for loops, and begins a search that was pending when this was
   * saved.
   */
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
  public PendingDecisions decided() {
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

  /** Returns the tree of all trajectories. */
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

  /** Returns the task that weighed each new particle's parent. */
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
