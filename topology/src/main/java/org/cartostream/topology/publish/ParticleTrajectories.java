package org.cartostream.topology.publish;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.cartostream.broker.message.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.slam.graph.GraphSearch;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.topology.stream.Payload;

/**
 * The trajectories of one run's particles, as far as the resampling decisions have come. Readings
 * enter in the order of admission, and key frames when they are decided.
 *
 * <p>Owns the {@link TrajectoryTree}, the decisions on what has not entered, the filter's figures
 * after the latest key frame, and the {@link MapHistory}: the newest map is as large as all else
 * here together, and goes when the paths go.
 */
final class ParticleTrajectories {

  private final TrajectoryTree trajectoryTree;

  /** After a restore the robot is sent a whole map. */
  private transient MapHistory history = new MapHistory();

  /** Comes again after a restore. */
  private transient Map<Long, Payload.ResamplingResult> decided = new HashMap<>();

  /** Runs searches for loops. */
  private transient Executor searches = Runnable::run;

  /** The search that was begun last; null if none was. */
  private transient GraphSearch begun;

  private double effectiveSampleSize;
  private double entropy;
  private long latestKeyFrame;

  ParticleTrajectories(FilterSettings filter) {
    trajectoryTree = new TrajectoryTree(filter);
    effectiveSampleSize = filter.particles();
    entropy = StrictMath.log(filter.particles());
  }

  /** When its state was read, see {@link org.cartostream.checkpoint.StateCodec}. */
  private Object readResolve() {
    history = new MapHistory();
    decided = new HashMap<>();
    searches = Runnable::run;
    return this;
  }

  /** Has searches for loops run elsewhere; also the one that was pending when it was saved. */
  void searchBy(Executor executor) {
    searches = executor;
    beginSearch();
  }

  private void beginSearch() {
    GraphSearch pending = trajectoryTree.pendingSearch().orElse(null);
    if (pending != null && pending != begun) {
      begun = pending;
      searches.execute(pending::run);
    }
  }

  /** There is a decision; it may come before the reading, or again. */
  void decided(Payload.ResamplingResult resamplingResult) {
    long sequence = resamplingResult.resampling().sequence();
    if (sequence > latestKeyFrame) {
      decided.put(sequence, resamplingResult);
    }
  }

  /** There will be no such reading. */
  void drop(long sequence) {
    decided.remove(sequence);
  }

  /** True if nothing is missing that the reading needs to enter. */
  boolean canEnter(Step step) {
    return isDecided(step)
        && trajectoryTree
            .pendingSearch()
            .filter(search -> step.sequence() >= search.dueAt() && !search.isDone())
            .isEmpty();
  }

  /** True if the reading waits for no decision: it may wait for a search for loops. */
  boolean isDecided(Step step) {
    return !step.keyFrame() || decided.containsKey(step.sequence());
  }

  /**
   * Takes a reading in.
   *
   * @return the decision on it; none if it is no key frame
   * @throws IllegalStateException if there was a decision on one before it, which never came
   */
  Optional<Payload.ResamplingResult> enter(Step step) {
    if (!step.keyFrame()) {
      trajectoryTree.addIntermediate(step);
      return Optional.empty();
    }
    Payload.ResamplingResult resamplingResult = decided.remove(step.sequence());
    requireNothingJudgedBefore(step);
    trajectoryTree.addKeyFrame(step, resamplingResult.all(), resamplingResult.resampling());
    effectiveSampleSize = resamplingResult.resampling().effectiveSampleSize();
    entropy = resamplingResult.resampling().entropy();
    latestKeyFrame = step.sequence();
    beginSearch();
    return Optional.of(resamplingResult);
  }

  private void requireNothingJudgedBefore(Step step) {
    for (long sequence : decided.keySet()) {
      if (sequence < step.sequence()) {
        throw new IllegalStateException("reading " + sequence + " is missing on the paths");
      }
    }
  }

  /** Where the robot is, by all particles. */
  PoseMessage current() {
    return new PoseMessage(trajectoryTree.localPose(), trajectoryTree.correction());
  }

  /** Neff after the latest key frame. */
  double effectiveSampleSize() {
    return effectiveSampleSize;
  }

  /** Of the particles' weights after the latest key frame, nats. */
  double entropy() {
    return entropy;
  }

  /** The paths themselves. */
  TrajectoryTree tree() {
    return trajectoryTree;
  }

  /** The best path, to be closed. */
  RecordedPath bestPath() {
    return trajectoryTree.bestPath();
  }

  /** True if the map is to be drawn for a correction, see {@link MapPublisher#canCorrect}. */
  boolean canCorrect(MapPublisher maps) {
    return maps.canCorrect(trajectoryTree);
  }

  /** Has a map drawn, see {@link MapPublisher#draw}. */
  Optional<MapMessage> drawnBy(MapPublisher maps, long version) {
    return maps.draw(trajectoryTree, history, version);
  }

  /** What that map takes in memory, about. */
  long mapBytes() {
    return trajectoryTree.mapBytes();
  }
}
