package org.cartostream.slam.trajectory.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.graph.GraphSolution;
import org.cartostream.slam.graph.GrowingPoseGraph;
import org.cartostream.slam.graph.OnlineLoopClosure;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.GridExtent;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.map.server.StartingMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampler;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;

/**
 * The paths of one robot's particles as a tree that is pruned to living ancestors, and the map that
 * the best path gives.
 *
 * <p>What all particles agree on (the trunk) is settled: its scans are traced into the map once.
 * While a robot drives in rooms that all particles know equally well, there is no resampling, and
 * no common trunk grows. So if particles disagree for too long, the followed particle's path is
 * settled, and the others go on from there. So memory grows with the map and the path, and by up to
 * 32 MB of the graph's nodes; scans are kept on disk ({@link ScanArchive}). When the map is read,
 * scans whose poses have changed are taken back, and entered at their present poses.
 *
 * <p>On the way the weighted mean of all particles is shown, as the robot's pose ({@link
 * PoseEstimate}) and, by the weights of today, as the path along which the map is drawn: so the two
 * go together, and no change of the best particle makes them jump. One particle is followed for as
 * long as it lives, then the best one at that moment; its path is the one that is settled. At the
 * end the best particle's path is taken.
 *
 * <p>How sure that pose is, where the first key frame's is sure, is a sum. Until a loop is closed
 * the filter's own pose is told, and its particles lie apart by what it may be off. A correction
 * has errors of its own, of which the particles know nothing, for they go on as if no loop had been
 * closed: how sure the pose was to which it led, its graph says ({@link
 * GraphSolution#uncertainty}), and from there on it is carried along as it is, for what the way
 * adds is with the particles. To both comes what no map tells, {@link
 * FilterSettings#leastCovariance}. Not thread-safe: the publisher or the serial engine owns it.
 */
public final class TrajectoryTree {

  /** Maximum number of unsettled poses of all particles together, 70 bytes each. */
  private static final int MAX_POSES = 4_000_000;

  /** Maximum number of unsettled key frames, all of which a map may have to draw anew. */
  private static final int MAX_KEY_FRAMES = 10_000;

  /** The map of the settled path, and of the unsettled path that was shown last. */
  private PathMap map;

  private final List<PathPose> settledPath = new ArrayList<>();

  /** Local poses of the pose graph's nodes on the settled path. */
  private final List<Pose> settledNodes = new ArrayList<>();

  /** Scans of all key frames, which are the same on each particle's path. */
  private final ScanArchive scanArchive;

  private final FilterSettings settings;
  private final StartingMap startingMap;
  private final GrowingPoseGraph graph;
  private Correction correction = Correction.NONE;

  /** Leaf of each particle, by its number; all null before the first key frame. */
  private TrajectoryNode[] leaves;

  private TrajectoryNode best;

  /** Number of the particle whose path settles where particles disagree for very long. */
  private int followed;

  /** Estimate of the robot's pose at the latest key frame. */
  private PoseEstimate poseEstimate;

  /** Effective sample size and entropy (nats) after the latest key frame. */
  private double effectiveSampleSize;

  private double entropy;

  private final int maxKeyFrames;
  private final int maxPoses;

  /** Number of readings on each path. */
  private int pathLength;

  /** Number of unsettled scans without a hit, which the map takes in when they are settled. */
  private int hitless;

  /** Number of unsettled key frames. */
  private int unsettled;

  /** Number of unsettled nodes on living paths. */
  private int poses;

  public TrajectoryTree(FilterSettings settings) {
    this(settings, StartingMap.NONE);
  }

  /** Creates a tree without key frames, with the run's starting map. */
  public TrajectoryTree(FilterSettings settings, StartingMap startingMap) {
    this(settings, startingMap, MAX_KEY_FRAMES, MAX_POSES, new ScanArchive());
  }

  /** Creates an object with smaller bounds, for tests. */
  TrajectoryTree(
      FilterSettings settings,
      StartingMap startingMap,
      int maxKeyFrames,
      int maxPoses,
      ScanArchive scanArchive) {
    this.settings = settings;
    this.startingMap = startingMap;
    this.maxKeyFrames = maxKeyFrames;
    this.maxPoses = maxPoses;
    this.scanArchive = scanArchive;
    graph = new GrowingPoseGraph(settings);
    double clearedMetres = settings.readingFilter().clearedMetres();
    map = new PathMap(startingMap.drawn(settings.cellMetres(), clearedMetres), graph.solution());
    leaves = new TrajectoryNode[settings.particles()];
    poseEstimate = PoseEstimate.at(Pose.ORIGIN, leaves.length);
    effectiveSampleSize = leaves.length;
    entropy = StrictMath.log(leaves.length);
  }

  /**
   * The search for loops that is pending, for another thread to run. A reading from {@link
   * OnlineLoopClosure#dueAt} on waits for the search, and runs it if no thread has.
   */
  public Optional<OnlineLoopClosure> pendingSearch() {
    return graph.pending();
  }

  private void correctBefore(long reading) {
    if (graph.correctBefore(reading)) {
      Pose before = currentPose();
      Pose transform = graph.solution().transform(graph.latest());
      double moved = before.distance(transform.then(localPose()));
      correction = new Correction(graph.solution().number(), transform, moved);
    }
  }

  /** Takes in a key frame with all particles' weights and what was resampled after it. */
  public void addKeyFrame(Step step, ParticleWeights all, Resampling resampling) {
    correctBefore(step.sequence());
    effectiveSampleSize = resampling.effectiveSampleSize();
    entropy = resampling.entropy();
    Pose expected = expected(step, all);
    boolean isGraphNode = graph.add(step.scan(), step.stampNanos(), expected);
    int number = scanArchive.add(new PathScan(pathLength++, graph.latest(), step.scan()));
    TrajectoryNode.KeyFrame frame =
        new TrajectoryNode.KeyFrame(
            step.sequence(),
            step.stampNanos(),
            new ArchivedScan(scanArchive, number),
            new ArrayList<>(),
            graph.latest(),
            isGraphNode);
    if (step.first()) {
      // All particles start at one pose: one node stands for them.
      Arrays.fill(leaves, new TrajectoryNode(frame, all.pose(0), null));
      best = leaves[0];
      poseEstimate = PoseEstimate.at(best.pose, leaves.length);
      unsettled = 1;
      poses = 1;
      return;
    }
    TrajectoryNode[] reached = new TrajectoryNode[leaves.length];
    for (int i = 0; i < reached.length; i++) {
      reached[i] = new TrajectoryNode(frame, all.pose(i), leaves[i]);
    }
    unsettled++;
    poses += reached.length;
    best = reached[resampling.best()];
    boolean[] survives = new boolean[reached.length];
    leaves = new TrajectoryNode[resampling.parents().length];
    for (int i = 0; i < leaves.length; i++) {
      int parent = resampling.parents()[i];
      leaves[i] = reached[parent];
      survives[parent] = true;
    }
    for (int i = 0; i < reached.length; i++) {
      if (!survives[i]) {
        prune(reached[i]);
      }
    }
    follow(reached[followed]);
    poseEstimate = poseEstimate.after(all, resampling, settings);
    if (resampling.resampled() || reached.length == 1) {
      settle();
    }
    while (isTooMuch()) {
      join(unsettled / 2);
      settle();
    }
    graph.search(step.sequence(), this::graphNodes);
  }

  private Pose expected(Step step, ParticleWeights all) {
    if (step.initialPose() instanceof InitialPose.At carried && !step.first()) {
      return carried.pose(); // No motion leads there.
    }
    return step.first() ? all.pose(0) : poseEstimate.pose().then(step.motion());
  }

  /** Returns the poses of the graph's nodes by the mean of all particles' paths. */
  private Pose[] graphNodes() {
    Pose[] nodes = settledNodes.toArray(new Pose[graph.latest() + 1]);
    double[] weights = poseEstimate.weights(settings);
    TrajectoryNode[] at = leaves.clone();
    for (; at[0] != null; Arrays.setAll(at, i -> at[i].parent)) {
      TrajectoryNode.KeyFrame frame = at[0].frame;
      if (frame.isGraphNode()) {
        nodes[frame.graphNode()] = PoseEstimate.mean(weights, i -> at[i].pose);
      }
    }
    return nodes;
  }

  /**
   * Returns true if the tree is too large; two key frames are always kept: the particles' poses,
   * and the nodes at which they part.
   */
  private boolean isTooMuch() {
    return unsettled > 2 && (unsettled > maxKeyFrames || poses > maxPoses);
  }

  /** Goes on with the particle that was followed if it lives on, else with the best. */
  private void follow(TrajectoryNode before) {
    int same = Arrays.asList(leaves).indexOf(before);
    followed = same >= 0 ? same : Arrays.asList(leaves).indexOf(best);
  }

  /** Takes in a reading between key frames. */
  public void addIntermediate(Step step) {
    correctBefore(step.sequence());
    if (!step.scan().hasHit()) { // It weighs nothing, and shows what is free.
      scanArchive.add(new PathScan(pathLength, graph.latest(), step.scan()));
      hitless++;
    }
    pathLength++;
    best.frame
        .between()
        .add(
            new TrajectoryNode.IntermediateReading(
                step.sequence(), step.stampNanos(), step.motion()));
  }

  private void prune(TrajectoryNode dead) {
    poses--;
    TrajectoryNode parent = dead.parent;
    while (parent != null && --parent.children == 0) {
      poses--;
      parent = parent.parent;
    }
  }

  /**
   * Makes all particles descend from the followed particle's node at a key frame.
   *
   * @param keyFrame counted from the first unsettled one; neither the latest nor the first
   */
  private void join(int keyFrame) {
    List<TrajectoryNode> path = TrajectoryNode.path(leaves[followed]);
    path.subList(0, keyFrame).forEach(node -> node.children = 1);
    TrajectoryNode joint = path.get(keyFrame);
    Set<TrajectoryNode> children = TrajectoryNode.distinct(Arrays.stream(leaves));
    poses = keyFrame + 1 + children.size();
    for (int i = path.size() - 1; i > keyFrame + 1; i--) {
      children = TrajectoryNode.distinct(children.stream().map(child -> child.parent));
      poses += children.size();
    }
    children.forEach(child -> child.parent = joint);
    joint.children = children.size();
  }

  /** Settles what lies above the first node at which living paths part. */
  private void settle() {
    List<TrajectoryNode> path = TrajectoryNode.path(leaves[0]);
    int shared = 0;
    int settledBefore = settledPath.size();
    for (; path.get(shared).children == 1; shared++) {
      TrajectoryNode node = path.get(shared);
      node.appendTo(settledPath);
      if (node.frame.isGraphNode()) {
        settledNodes.add(node.pose);
      }
    }
    map.settle(path.subList(0, shared));
    if (hitless > 0) {
      drawHitless(settledBefore);
    }
    path.get(shared).parent = null;
    unsettled = path.size() - shared;
    poses -= shared;
  }

  private void drawHitless(int from) {
    for (PathScan each : scanArchive.between(from, settledPath.size())) {
      if (!each.scan().hasHit()) {
        Pose local = settledPath.get(each.pathIndex()).pose();
        map.drawn().trace(map.solution().toMapFrame(each.graphNode(), local), each.scan());
        hitless--;
      }
    }
  }

  /** Number of poses that are kept beside the settled path. */
  int unsettledPoses() {
    return poses;
  }

  /** Number of key frames whose place in the best path may still change. */
  int unsettledKeyFrames() {
    return best == null ? 0 : TrajectoryNode.path(best).size();
  }

  /**
   * The pose at the latest reading.
   *
   * @throws IllegalStateException before the first key frame
   */
  public RobotPose robotPose() {
    return new RobotPose(localPose(), correction, effectiveSampleSize, entropy)
        .withCovariance(covariance());
  }

  /**
   * Returns the first key frame's pose, in the {@code map} frame. {@link RobotPose#covariance} is
   * relative to it.
   *
   * @throws IllegalStateException before the first key frame
   */
  public Pose firstPose() {
    requireKeyFrame();
    Pose local =
        settledPath.isEmpty() ? TrajectoryNode.path(best).get(0).pose : settledPath.get(0).pose();
    return graph.solution().toMapFrame(0, local);
  }

  private SymmetricMatrix3 covariance() {
    Pose at = currentPose();
    return poseEstimate
        .spread(settings, i -> leaves[i].pose)
        .turned(correction.transform().theta())
        .plus(graph.solution().uncertainty().carried(at.x(), at.y()))
        .plus(settings.leastCovariance());
  }

  /**
   * The pose at the latest reading, in the {@code map} frame.
   *
   * @throws IllegalStateException before the first key frame
   */
  public Pose currentPose() {
    return correction.apply(localPose());
  }

  /** Returns the correction that carries the local pose to the {@code map} frame. */
  public Correction correction() {
    return correction;
  }

  /** Returns the loop edges of the correction, in the {@code map} frame. */
  public List<ClosedLoop> loops() {
    return graph.loops();
  }

  /**
   * The filter's own pose at the latest reading, without the correction of {@link #currentPose}.
   */
  public Pose localPose() {
    requireKeyFrame();
    Pose pose = poseEstimate.pose();
    List<TrajectoryNode.IntermediateReading> between = best.frame.between();
    return between.isEmpty() ? pose : pose.then(between.get(between.size() - 1).motion());
  }

  private void requireKeyFrame() {
    if (best == null) {
      throw new IllegalStateException("no reading was processed yet, so there is no pose");
    }
  }

  /** Number of the latest key frame; 0 before the first. */
  public long latestKeyFrame() {
    return best == null ? 0 : best.frame.sequence();
  }

  /** Returns the numbers of up to {@code max} particles, drawn by {@link Resampler#evenly}. */
  public int[] drawn(int max) {
    return Resampler.evenly(poseEstimate.weights(settings), Math.min(max, leaves.length));
  }

  /** Returns the pose of a particle at the latest key frame, in the {@code map} frame. */
  public Pose particle(int number) {
    return correction.apply(leaves[number].pose);
  }

  /** Returns how large {@link #currentMap} is, before it takes any memory. */
  public GridExtent currentExtent() {
    map.show(meanPath());
    return map.drawn().extent();
  }

  /** Returns the memory of the map as it was drawn last, bytes. */
  public long mapBytes() {
    return map.drawn().bytes();
  }

  /** Returns the memory of scans that could not be written to disk, bytes. */
  public long heldScanBytes() {
    return scanArchive.heapBytes();
  }

  /**
   * Free, occupied and unknown space as seen along the mean path.
   *
   * @throws IllegalStateException if it has too many cells, see {@link RayTracedMap#grid}
   */
  public OccupancyGrid currentMap() {
    map.show(meanPath());
    return map.drawn().grid();
  }

  /** Number of the correction that {@link #currentMap} shows: older than the pose's for a while. */
  public int mapCorrection() {
    return map.solution().number();
  }

  /**
   * Returns the job that redraws the map, if the map shows an older correction than the pose has.
   */
  public Optional<MapRedraw> redraw() {
    GraphSolution solution = graph.solution();
    if (mapCorrection() == solution.number()) {
      return Optional.empty();
    }
    return Optional.of(
        new MapRedraw(
            startingMap,
            scanArchive.between(0, settledPath.size()),
            List.copyOf(settledPath),
            solution,
            settings.cellMetres(),
            settings.readingFilter().clearedMetres()));
  }

  /** Replaces the map by a redrawn one, and draws the scans settled since. */
  public void show(MapRedraw redraw) {
    redraw.trace(scanArchive.between(redraw.settledPoses(), settledPath.size()), settledPath);
    map = new PathMap(redraw.map(), redraw.solution());
  }

  /** Returns the part of the mean of all particles' paths that is not settled. */
  private List<PathMap.ShownScan> meanPath() {
    double[] weights = poseEstimate.weights(settings);
    List<PathMap.ShownScan> path = new ArrayList<>();
    TrajectoryNode[] at = leaves.clone();
    for (; at[0] != null; Arrays.setAll(at, i -> at[i].parent)) {
      Pose mean = PoseEstimate.mean(weights, i -> at[i].pose);
      path.add(PathMap.ShownScan.at(at[followed], mean, settings.cellMetres()));
    }
    Collections.reverse(path);
    return path;
  }

  /** Returns the best particle's whole path, with its scans. */
  public RecordedPath bestPath() {
    List<PathPose> path = new ArrayList<>(settledPath);
    for (TrajectoryNode node : TrajectoryNode.path(best)) {
      node.appendTo(path);
    }
    return new RecordedPath(
        settings,
        startingMap,
        path,
        scanArchive.between(0, path.size()),
        graph.finalSolution(graphNodes()));
  }
}
