package org.cartostream.slam.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.Extent;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.TracedMap;

/**
 * The paths of one robot's particles as a tree that is pruned to living ancestors, and the map that
 * the best path gives.
 *
 * <p>What all particles agree on (the trunk) is settled: its scans are traced into the map once,
 * and kept for the end only ({@link Album}). Where a robot drives about in rooms that all particles
 * know alike, none is resampled, and they agree on nothing: so what they disagree about for too
 * long is settled as the particle that is followed has it, and the others go on from there. So
 * memory grows with the map and the path (and with the scans that are kept, up to 16 MB). A map
 * that is asked for takes back the scans of the path that was shown before where that is another
 * now, and enters those of the latter.
 *
 * <p>On the way one particle is followed for as long as it lives, and then the one that is best at
 * that moment (or, if it was lost with a process, its successor): were it always the best, pose and
 * map would jump from one particle to another, and every map would have to be drawn anew from the
 * last resampling on. The best path counts at the end. Not thread-safe; the publisher (or the
 * serial engine) is its owner.
 */
public final class Lineage {

  /**
   * No more poses than this are kept unsettled, of all particles together: each takes some 70
   * bytes.
   */
  private static final int MOST_POSES = 4_000_000;

  /** No more ranges than this are kept of settled scans: 16 MB. */
  private static final long MOST_RANGES = 4_000_000;

  /** No more key frames than this are kept unsettled: each has its scan, of some kilobytes. */
  private static final int MOST_KEY_FRAMES = 10_000;

  /**
   * A key frame and the readings between it and the next; shared by all nodes of that key frame.
   */
  private record Frame(Step step, List<SavedLineage.Between> between) {}

  /** Where one particle was at one key frame. */
  private static final class Node {
    final Frame frame;
    final Pose pose;

    /** Null where the path above is settled. */
    Node parent;

    /** Living ones. */
    int children;

    Node(Frame frame, Pose pose, Node parent) {
      this.frame = frame;
      this.pose = pose;
      this.parent = parent;
      if (parent != null) {
        parent.children++;
      }
    }
  }

  /** Of what is settled, and of {@link #shown}. */
  private final TracedMap map;

  /** The nodes of the path that was shown last, from the first that is not settled. */
  private final List<Node> shown = new ArrayList<>();

  private final List<PathPose> settledPath = new ArrayList<>();

  /** What was seen from the settled path. */
  private final Album album;

  private final FilterSettings settings;

  /** Leaf of each particle, by its number; all null before the first key frame. */
  private final Node[] leaves;

  private Node best;

  /** Number of the particle that is followed on the way. */
  private int followed;

  private final int mostKeyFrames;
  private final int mostPoses;

  /** Key frames from the first that is not settled. */
  private int unsettled;

  /** Nodes of living paths from there. */
  private int poses;

  public Lineage(FilterSettings settings) {
    this(settings, MOST_KEY_FRAMES, MOST_POSES);
  }

  /** For tests, in which a few are many. */
  Lineage(FilterSettings settings, int mostKeyFrames, int mostPoses) {
    this.settings = settings;
    this.mostKeyFrames = mostKeyFrames;
    this.mostPoses = mostPoses;
    map = new TracedMap(settings.cellMetres());
    album = new Album(MOST_RANGES);
    leaves = new Node[settings.particles()];
  }

  /**
   * One that goes on where another was saved.
   *
   * @param settings the other's
   */
  public Lineage(FilterSettings settings, SavedLineage saved) {
    this(settings, saved, MOST_KEY_FRAMES, MOST_POSES);
  }

  /** For tests, in which a few are many. */
  Lineage(FilterSettings settings, SavedLineage saved, int mostKeyFrames, int mostPoses) {
    this.settings = settings;
    this.mostKeyFrames = mostKeyFrames;
    this.mostPoses = mostPoses;
    map = TracedMap.unpacked(settings.cellMetres(), saved.map());
    album = new Album(MOST_RANGES, saved.seen(), saved.seenEvery(), saved.seenSkipped());
    leaves = new Node[settings.particles()];
    settledPath.addAll(Arrays.asList(saved.settled()));
    followed = saved.followed();
    if (saved.leaves().length == 0) {
      return;
    }
    List<Frame> frames =
        Arrays.stream(saved.frames())
            .map(each -> new Frame(each.step(), new ArrayList<>(List.of(each.between()))))
            .toList();
    List<Node> nodes = new ArrayList<>();
    for (SavedLineage.Node node : saved.nodes()) {
      Node parent = node.parent() < 0 ? null : nodes.get(node.parent());
      nodes.add(new Node(frames.get(node.frame()), node.pose(), parent));
    }
    Arrays.setAll(leaves, particle -> nodes.get(saved.leaves()[particle]));
    best = nodes.get(saved.best());
    unsettled = unsettledKeyFrames();
    poses = nodes.size();
  }

  /** All that is needed to go on elsewhere. The next map takes longer to draw. */
  public SavedLineage saved() {
    show(List.of());
    Map<Node, Integer> nodes = new IdentityHashMap<>();
    Map<Frame, Integer> frames = new IdentityHashMap<>();
    List<SavedLineage.Node> savedNodes = new ArrayList<>();
    List<SavedLineage.Frame> savedFrames = new ArrayList<>();
    for (Node leaf : best == null ? List.<Node>of() : Arrays.asList(leaves)) {
      int parent = -1;
      for (Node node : unsettled(leaf)) {
        if (frames.putIfAbsent(node.frame, savedFrames.size()) == null) {
          SavedLineage.Between[] between = node.frame.between.toArray(SavedLineage.Between[]::new);
          savedFrames.add(new SavedLineage.Frame(node.frame.step, between));
        }
        if (nodes.putIfAbsent(node, savedNodes.size()) == null) {
          savedNodes.add(new SavedLineage.Node(frames.get(node.frame), parent, node.pose));
        }
        parent = nodes.get(node);
      }
    }
    return new SavedLineage(
        settledPath.toArray(PathPose[]::new),
        album.seen().toArray(Seen[]::new),
        album.every(),
        album.skipped(),
        map.packed(),
        savedFrames.toArray(SavedLineage.Frame[]::new),
        savedNodes.toArray(SavedLineage.Node[]::new),
        best == null ? new int[0] : Arrays.stream(leaves).mapToInt(nodes::get).toArray(),
        best == null ? -1 : nodes.get(best),
        followed);
  }

  /** Takes in a key frame with all particles' beliefs and what was resampled after it. */
  public void keyFrame(Step step, Beliefs all, Resampling resampling) {
    Frame frame = new Frame(step, new ArrayList<>());
    if (step.first()) {
      // All particles start at one pose: one node stands for them.
      Arrays.fill(leaves, new Node(frame, all.pose(0), null));
      best = leaves[0];
      unsettled = 1;
      poses = 1;
      return;
    }
    Node[] reached = new Node[leaves.length];
    for (int i = 0; i < reached.length; i++) {
      reached[i] = new Node(frame, all.pose(i), leaves[i]);
    }
    unsettled++;
    poses += reached.length;
    best = reached[resampling.best()];
    boolean[] survives = new boolean[reached.length];
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
    if (resampling.resampled() || reached.length == 1) {
      settle();
    }
    while (isTooMuch()) {
      join(unsettled / 2);
      settle();
    }
  }

  /** With two key frames the least is kept: the particles' poses, and where they part. */
  private boolean isTooMuch() {
    return unsettled > 2 && (unsettled > mostKeyFrames || poses > mostPoses);
  }

  /** Goes on with the particle that was followed if it lives on, else with the best. */
  private void follow(Node before) {
    int same = Arrays.asList(leaves).indexOf(before);
    followed = same >= 0 ? same : Arrays.asList(leaves).indexOf(best);
  }

  /**
   * Particles were lost, and are copies of others from now on.
   *
   * @param parents for each particle the one that it is a copy of; itself if it was not lost
   */
  public void redraw(int[] parents) {
    Node[] before = leaves.clone();
    for (int i = 0; i < leaves.length; i++) {
      leaves[i] = before[parents[i]];
    }
    Set<Node> dead = distinct(Arrays.stream(before));
    Arrays.asList(leaves).forEach(dead::remove);
    if (dead.contains(best)) {
      best = leaves[0];
    }
    dead.forEach(this::prune);
  }

  /** Takes in a reading between key frames. */
  public void between(Step step) {
    best.frame.between.add(
        new SavedLineage.Between(step.sequence(), step.stampNanos(), step.motion()));
  }

  private void prune(Node dead) {
    poses--;
    Node parent = dead.parent;
    while (parent != null && --parent.children == 0) {
      poses--;
      parent = parent.parent;
    }
  }

  /**
   * Has all particles come from where the one that is followed was.
   *
   * @param keyFrame counted from the first that is not settled; neither the latest nor the first
   */
  private void join(int keyFrame) {
    List<Node> path = unsettled(leaves[followed]);
    path.subList(0, keyFrame).forEach(node -> node.children = 1);
    Node joint = path.get(keyFrame);
    Set<Node> children = distinct(Arrays.stream(leaves));
    poses = keyFrame + 1 + children.size();
    for (int i = path.size() - 1; i > keyFrame + 1; i--) {
      children = distinct(children.stream().map(child -> child.parent));
      poses += children.size();
    }
    children.forEach(child -> child.parent = joint);
    joint.children = children.size();
  }

  private static Set<Node> distinct(Stream<Node> nodes) {
    Set<Node> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
    nodes.forEach(distinct::add);
    return distinct;
  }

  /** Settles what lies above the first node at which living paths part. */
  private void settle() {
    List<Node> path = unsettled(leaves[0]);
    int shared = 0;
    while (path.get(shared).children == 1) {
      settle(path.get(shared++));
    }
    List<Node> trunk = path.subList(0, shared);
    if (common(trunk, shown) < Math.min(shared, shown.size())) {
      show(trunk); // What was shown is a dead branch.
    }
    int traced = Math.min(shared, shown.size());
    shown.subList(0, traced).clear();
    trunk.subList(traced, shared).forEach(this::trace);
    path.get(shared).parent = null;
    unsettled = path.size() - shared;
    poses -= shared;
  }

  private void settle(Node node) {
    int place = settledPath.size();
    append(settledPath, node);
    album.take(new Seen(place, node.frame.step.scan()));
  }

  private void trace(Node node) {
    map.trace(node.pose, node.frame.step.scan());
  }

  /** Has the map show a path, given by its nodes that are not settled. */
  private void show(List<Node> path) {
    int common = common(path, shown);
    List<Node> other = shown.subList(common, shown.size());
    other.forEach(node -> map.takeBack(node.pose, node.frame.step.scan()));
    other.clear();
    path.subList(common, path.size()).forEach(this::trace);
    shown.addAll(path.subList(common, path.size()));
  }

  /** How many nodes both paths begin with. */
  private static int common(List<Node> one, List<Node> other) {
    int common = 0;
    while (common < Math.min(one.size(), other.size()) && one.get(common) == other.get(common)) {
      common++;
    }
    return common;
  }

  /** The nodes from the first that is not settled to {@code leaf}. */
  private static List<Node> unsettled(Node leaf) {
    List<Node> path = new ArrayList<>();
    for (Node node = leaf; node != null; node = node.parent) {
      path.add(node);
    }
    Collections.reverse(path);
    return path;
  }

  private static void append(List<PathPose> path, Node node) {
    Step step = node.frame.step;
    path.add(new PathPose(step.sequence(), step.stampNanos(), node.pose));
    for (SavedLineage.Between later : node.frame.between) {
      Pose pose = node.pose.then(later.motion());
      path.add(new PathPose(later.sequence(), later.stampNanos(), pose));
    }
  }

  /** Number of poses that are kept beside the settled path. */
  int unsettledPoses() {
    return poses;
  }

  /** Number of key frames whose place in the best path may still change. */
  int unsettledKeyFrames() {
    return best == null ? 0 : unsettled(best).size();
  }

  /**
   * The followed particle's pose at the latest reading, in the {@code map} frame.
   *
   * @throws IllegalStateException before the first key frame
   */
  public Pose current() {
    if (best == null) {
      throw new IllegalStateException("no reading was processed yet, so there is no pose");
    }
    Node node = leaves[followed];
    List<SavedLineage.Between> between = node.frame.between;
    return between.isEmpty() ? node.pose : node.pose.then(between.get(between.size() - 1).motion());
  }

  /** How large {@link #currentMap} is, before it takes any memory. */
  public Extent currentExtent() {
    show(unsettled(leaves[followed]));
    return map.extent();
  }

  /**
   * Free, occupied and unknown space as seen along the followed particle's path.
   *
   * @throws IllegalStateException if it has too many cells, see {@link TracedMap#grid}
   */
  public OccupancyGrid currentMap() {
    show(unsettled(leaves[followed]));
    return map.grid();
  }

  /** The best particle's whole path, with what was seen from it. */
  public Course course() {
    List<PathPose> path = new ArrayList<>(settledPath);
    List<Seen> seen = new ArrayList<>(album.seen());
    for (Node node : unsettled(best)) {
      seen.add(new Seen(path.size(), node.frame.step.scan()));
      append(path, node);
    }
    return new Course(settings, path, seen);
  }
}
