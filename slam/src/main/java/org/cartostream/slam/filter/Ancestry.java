package org.cartostream.slam.filter;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which task has which ancestors' maps, so that a particle that moves need not take its own along:
 * every task has seen every scan, and from an ancestor's map and the poses since then it makes the
 * particle's.
 *
 * <p>An ancestor is a particle that had children at a resampling, with its map after that key
 * frame's scan; or the beginning, with the map of the first scan, which is all particles'. The
 * tasks that its children went to keep its map as long as it is the nearest ancestor of a living
 * particle that they have, and at most {@link #REACH} key frames.
 *
 * <p>Owns the tree of these ancestors, without those that nobody has. A pure function of the
 * resamplings and assignments of a run: whoever is told them knows the same.
 */
public final class Ancestry {

  /** In place of an ancestor where there is none. */
  public static final long NONE = -1;

  /**
   * Key frames after which an ancestor is forgotten. To enter so many scans takes about as long as
   * to pack and unpack the map that they make (on aces 0.1 ms a scan, and 25 ms to unpack a map of
   * 400 scans); and it bounds what is kept of the past.
   */
  public static final int REACH = 512;

  /** What a pose takes, bytes. */
  static final int POSE_BYTES = 3 * Double.BYTES;

  private static final class Node {
    final long id;
    final int keyFrame;
    final BitSet holders;
    Node parent;

    Node(long id, int keyFrame, Node parent, int tasks) {
      this.id = id;
      this.keyFrame = keyFrame;
      this.parent = parent;
      this.holders = new BitSet(tasks);
    }
  }

  private final int tasks;

  /** By particle, the latest ancestor of all that have been. */
  private Node[] latest;

  private int keyFrame;
  private long nextId;

  /**
   * @param particles of the run
   * @param tasks that share them
   */
  public Ancestry(int particles, int tasks) {
    this.tasks = tasks;
    this.latest = new Node[particles];
  }

  /**
   * Begins in the middle of a run, after particles were lost: nothing is known of the past, and
   * each family, copies of one particle that was left, has itself as its only ancestor.
   *
   * @param parents for each particle the one that it is a copy of
   * @param owners task of each particle
   */
  public void beginAgain(int[] parents, int[] owners) {
    keyFrame = 1;
    found(parents, owners);
  }

  /** Key frames so far. */
  int keyFrame() {
    return keyFrame;
  }

  /**
   * Bytes that it takes to have a particle on a task that lacks it, after a key frame was matched
   * and before {@link #advance} is told of it.
   *
   * @param mapBytes what its map would take
   */
  public long bytes(int particle, int task, long mapBytes) {
    Node ancestor = nearest(particle, task);
    return ancestor == null
        ? mapBytes + (long) POSE_BYTES * allPoses()
        : (long) POSE_BYTES * posesSince(ancestor);
  }

  /**
   * A move with what goes along; at the same moment as {@link #bytes}. Poses are always fewer bytes
   * than what their scans have written: 24 a scan, where aces' maps grow by 250 packed.
   */
  public Move prepared(Move move) {
    Node ancestor = nearest(move.parent(), move.to());
    return ancestor == null
        ? move.from(NONE, allPoses())
        : move.from(ancestor.id, posesSince(ancestor));
  }

  /** Who comes with a whole map must know its past, too, lest its next move find none. */
  private int allPoses() {
    return Math.min(keyFrame, REACH);
  }

  private int posesSince(Node ancestor) {
    return keyFrame - ancestor.keyFrame;
  }

  private Node nearest(int particle, int task) {
    Node node = latest[particle];
    while (node != null && !node.holders.get(task)) {
      node = node.parent;
    }
    return node == null || posesSince(node) > REACH ? null : node;
  }

  /** A key frame was judged. */
  public void advance(Resampling resampling, int[] ownerAfter) {
    keyFrame++;
    if (keyFrame == 1) {
      Node beginning = new Node(nextId++, keyFrame, null, tasks);
      Arrays.stream(ownerAfter).forEach(beginning.holders::set);
      Arrays.fill(latest, beginning);
    } else if (resampling.resampled()) {
      found(resampling.parents(), ownerAfter);
      prune();
    }
  }

  private void found(int[] parents, int[] ownerAfter) {
    Map<Integer, Node> founders = new TreeMap<>();
    Node[] after = new Node[latest.length];
    for (int child = 0; child < parents.length; child++) {
      Node founder =
          founders.computeIfAbsent(
              parents[child], parent -> new Node(nextId++, keyFrame, latest[parent], tasks));
      founder.holders.set(ownerAfter[child]);
      after[child] = founder;
    }
    latest = after;
  }

  /** Each task lets go of what is no living particle's nearest; what nobody has goes. */
  private void prune() {
    Map<Node, BitSet> useful = new IdentityHashMap<>();
    for (Node leaf : leaves()) {
      BitSet searching = new BitSet(tasks);
      searching.set(0, tasks);
      for (Node node = leaf; node != null && posesSince(node) < REACH; node = node.parent) {
        BitSet found = (BitSet) node.holders.clone();
        found.and(searching);
        searching.andNot(found);
        useful.computeIfAbsent(node, any -> new BitSet(tasks)).or(found);
      }
    }
    useful.forEach((node, holders) -> node.holders.and(holders));
    for (Node node : useful.keySet()) {
      while (node.parent != null
          && (!useful.containsKey(node.parent) || node.parent.holders.isEmpty())) {
        node.parent = node.parent.parent;
      }
    }
  }

  private Set<Node> leaves() {
    Set<Node> leaves = Collections.newSetFromMap(new IdentityHashMap<>());
    leaves.addAll(List.of(latest));
    return leaves;
  }

  /** The latest ancestor of a particle, which is there. */
  long latest(int particle) {
    return latest[particle].id;
  }

  /** True if the last key frame has brought new ancestors. */
  boolean hasGrown() {
    return latest[0].keyFrame == keyFrame;
  }

  /** The ancestors whose maps a task is to keep. */
  Set<Long> keptBy(int task) {
    Set<Long> kept = new HashSet<>();
    for (Node leaf : leaves()) {
      for (Node node = leaf; node != null; node = node.parent) {
        if (node.holders.get(task)) {
          kept.add(node.id);
        }
      }
    }
    return kept;
  }
}
