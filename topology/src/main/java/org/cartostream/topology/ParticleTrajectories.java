package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.cartostream.broker.message.MapHistory;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.slam.trajectory.tree.TrajectoryTree;
import org.cartostream.slam.trajectory.tree.TrajectoryTreeSnapshot;
import org.cartostream.topology.publish.MapPublisher;

/**
 * The trajectories of one run's particles, as far as the resampling decisions have come. Readings
 * enter in the order of admission, and key frames when they are decided.
 *
 * <p>Owns the {@link TrajectoryTree}, the decisions on what has not entered, the filter's figures
 * after the latest key frame, rebirths that have still to take effect, and the {@link MapHistory}:
 * the newest map is as large as all else here together, and goes when the paths go.
 */
final class ParticleTrajectories {

  private final TrajectoryTree trajectoryTree;
  private final MapHistory history = new MapHistory();
  private final Map<Long, Payload.ResamplingResult> decided = new HashMap<>();
  private double effectiveSampleSize;
  private double entropy;
  private long latestKeyFrame;

  /** Particles that were lost, until the trajectory tree has it; each after the one before. */
  private final Deque<Payload.Rebirth> rebirths = new ArrayDeque<>();

  /**
   * All of it, to go on elsewhere.
   *
   * @param rebirths that have still to take effect, in their order
   */
  record Snapshot(
      TrajectoryTreeSnapshot tree,
      Payload.ResamplingResult[] decided,
      double effectiveSampleSize,
      double entropy,
      Payload.Rebirth[] rebirths) {}

  ParticleTrajectories(FilterSettings filter) {
    trajectoryTree = new TrajectoryTree(filter);
    effectiveSampleSize = filter.particles();
    entropy = StrictMath.log(filter.particles());
  }

  /** Those that another has known. */
  ParticleTrajectories(FilterSettings filter, Snapshot snapshot) {
    trajectoryTree = new TrajectoryTree(filter, snapshot.tree());
    effectiveSampleSize = snapshot.effectiveSampleSize();
    entropy = snapshot.entropy();
    latestKeyFrame = snapshot.tree().latest().map(Step::sequence).orElse(0L);
    Stream.of(snapshot.decided()).forEach(this::decided);
    rebirths.addAll(List.of(snapshot.rebirths()));
  }

  Snapshot snapshot() {
    return new Snapshot(
        trajectoryTree.snapshot(),
        decided.values().toArray(Payload.ResamplingResult[]::new),
        effectiveSampleSize,
        entropy,
        rebirths.toArray(Payload.Rebirth[]::new));
  }

  /** There is a decision; it may come before the reading, or again. */
  void decided(Payload.ResamplingResult resamplingResult) {
    long sequence = resamplingResult.resampling().sequence();
    if (sequence > latestKeyFrame) {
      decided.put(sequence, resamplingResult);
    }
  }

  /**
   * There will be no such reading.
   *
   * @return true if there was a decision on it
   */
  boolean drop(long sequence) {
    return decided.remove(sequence) != null;
  }

  /** True if nothing is missing that the reading needs to enter. */
  boolean canEnter(Step step) {
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
    applyRebirthsWhenDue();
    return Optional.of(resamplingResult);
  }

  private void requireNothingJudgedBefore(Step step) {
    for (long sequence : decided.keySet()) {
      if (sequence < step.sequence()) {
        throw new IllegalStateException("reading " + sequence + " is missing on the paths");
      }
    }
  }

  /** Takes effect after the latest key frame that the particles that are left have seen. */
  void reborn(Payload.Rebirth message) {
    rebirths.add(message);
    applyRebirthsWhenDue();
  }

  private void applyRebirthsWhenDue() {
    while (!rebirths.isEmpty() && latestKeyFrame >= rebirths.getFirst().last().sequence()) {
      trajectoryTree.replaceLost(rebirths.remove().parents());
    }
  }

  /** Where the robot is, by all particles. */
  Pose current() {
    return trajectoryTree.currentPose();
  }

  /** Neff after the latest key frame. */
  double effectiveSampleSize() {
    return effectiveSampleSize;
  }

  /** Of the particles' weights after the latest key frame, nats. */
  double entropy() {
    return entropy;
  }

  /** The best path, to be closed. */
  RecordedPath bestPath() {
    return trajectoryTree.bestPath();
  }

  /** Has a map drawn, see {@link MapPublisher#draw}. */
  Optional<MapMessage> drawnBy(MapPublisher maps, long version) {
    return maps.draw(trajectoryTree, history, version);
  }
}
