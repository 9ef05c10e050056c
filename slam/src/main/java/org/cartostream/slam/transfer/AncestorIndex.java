package org.cartostream.slam.transfer;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.cartostream.slam.particle.ParticleMove;
import org.cartostream.slam.particle.ParticleTransfer;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.particle.TaskLayout;

/**
 * Index of the tasks that hold the maps of particles' ancestors, so that a moving particle need not
 * take its whole map along. Only the tiles written since the ancestor are sent; or, because every
 * task has the latest scans, only the poses since then, if they are few enough.
 *
 * <p>An ancestor is a particle that had children at a resampling, with its map after that key
 * frame's scan; or the beginning, with the map of the first scan, which is all particles'. The
 * tasks that its children went to keep its map as long as it is the nearest ancestor of a living
 * particle that they have: at most one for each particle, however long the run.
 *
 * <p>What a move takes follows from the ancestry, which every task that decides knows: how many key
 * frames ago the ancestor was, and how much larger the particle's map is than the ancestor's. That
 * is a little less than what was written since, for a cell may be written again. Whether poses or
 * tiles are sent is decided by the sender: whichever really are fewer bytes ({@link
 * AncestorMapCache#pack}).
 *
 * <p>Owns the tree of these ancestors, without those that no task holds. A pure function of the
 * resamplings and assignments of a run, and of how large the maps are: every task that gets them
 * has the same index.
 */
public final class AncestorIndex {

  private static final class Node {
    final long id;
    final int keyFrame;
    final BitSet holders;

    /** Rough size of the node's map, bytes, before the scan of its key frame. */
    final long mapBytes;

    Node parent;

    Node(long id, int keyFrame, long mapBytes, Node parent, int tasks) {
      this.id = id;
      this.keyFrame = keyFrame;
      this.mapBytes = mapBytes;
      this.parent = parent;
      this.holders = new BitSet(tasks);
    }
  }

  private final int tasks;
  private final int reach;

  /** Latest ancestor of each particle of all that have been. */
  private Node[] latest;

  private int keyFrame;
  private long nextId;

  /**
   * @param particles number of the run's particles at first
   * @param taskLayout layout of the tasks that share the particles
   */
  public AncestorIndex(int particles, TaskLayout taskLayout) {
    this.tasks = taskLayout.tasks();
    this.reach = taskLayout.reach();
    this.latest = new Node[particles];
  }

  /**
   * Begins in the middle of a run: nothing is known of the past, and each particle has itself as
   * its only ancestor.
   *
   * @param owners task of each particle
   */
  public void restart(int[] owners) {
    keyFrame = 1;
    found(IntStream.range(0, owners.length).toArray(), owners, new long[owners.length]);
  }

  /** Key frames so far. */
  int keyFrame() {
    return keyFrame;
  }

  /**
   * Returns roughly the bytes to be sent to have a particle on a task that lacks it, its own pose
   * included, after a key frame was matched and before {@link #advance}.
   *
   * @param mapBytes size of the particle's whole map, bytes
   */
  public long transferBytes(int particle, int task, long mapBytes) {
    Node ancestor = nearest(particle, task);
    if (ancestor == null) {
      return ParticleTransfer.POSE_BYTES + mapBytes;
    }
    long tiles = mapBytes - ancestor.mapBytes;
    int poses = keyFramesSince(ancestor);
    return ParticleTransfer.POSE_BYTES
        + (poses > reach ? tiles : Math.min(tiles, (long) ParticleTransfer.POSE_BYTES * poses));
  }

  /**
   * Returns a move with the ancestor from which the receiver starts. To be called at the same time
   * as {@link #transferBytes}.
   */
  public ParticleMove withAncestor(ParticleMove particleMove) {
    Node ancestor = nearest(particleMove.parent(), particleMove.to());
    return ancestor == null
        ? particleMove
        : particleMove.from(ancestor.id, keyFramesSince(ancestor));
  }

  private Node nearest(int particle, int task) {
    Node node = latest[particle];
    while (node != null && !node.holders.get(task)) {
      node = node.parent;
    }
    return node;
  }

  private int keyFramesSince(Node ancestor) {
    return keyFrame - ancestor.keyFrame;
  }

  /** Takes in a key frame's resampling decision, for users that need no {@link #transferBytes}. */
  public void advance(Resampling resampling, int[] ownerAfter) {
    advance(resampling, ownerAfter, new long[latest.length]);
  }

  /**
   * Takes in a key frame's resampling decision.
   *
   * @param ownerAfter task of each new particle
   * @param mapBytes roughly what each old particle's map would take
   */
  public void advance(Resampling resampling, int[] ownerAfter, long[] mapBytes) {
    keyFrame++;
    if (keyFrame == 1) {
      Node beginning = new Node(nextId++, keyFrame, 0, null, tasks);
      Arrays.stream(ownerAfter).forEach(beginning.holders::set);
      Arrays.fill(latest, beginning);
    } else if (resampling.resampled()) {
      found(resampling.parents(), ownerAfter, mapBytes);
      prune();
    }
  }

  private void found(int[] parents, int[] ownerAfter, long[] mapBytes) {
    Map<Integer, Node> founders = new TreeMap<>();
    Node[] after = new Node[parents.length];
    for (int child = 0; child < parents.length; child++) {
      Node founder =
          founders.computeIfAbsent(
              parents[child],
              parent -> new Node(nextId++, keyFrame, mapBytes[parent], latest[parent], tasks));
      founder.holders.set(ownerAfter[child]);
      after[child] = founder;
    }
    latest = after;
  }

  /**
   * Drops ancestors' maps that are not needed: each task keeps each living particle's nearest ones,
   * and nodes that no task holds go.
   */
  private void prune() {
    Map<Node, BitSet> useful = new IdentityHashMap<>();
    for (Node leaf : leaves()) {
      BitSet searching = new BitSet(tasks);
      searching.set(0, tasks);
      for (Node node = leaf; node != null; node = node.parent) {
        BitSet found = (BitSet) node.holders.clone();
        found.and(searching);
        searching.andNot(found);
        useful.computeIfAbsent(node, any -> new BitSet(tasks)).or(found);
      }
    }
    useful.forEach((node, holders) -> node.holders.and(holders));
    for (Node node : useful.keySet()) {
      while (node.parent != null && node.parent.holders.isEmpty()) {
        node.parent = node.parent.parent;
      }
    }
  }

  private Set<Node> leaves() {
    Set<Node> leaves = Collections.newSetFromMap(new IdentityHashMap<>());
    leaves.addAll(List.of(latest));
    return leaves;
  }

  /** Returns the latest ancestor of a particle; there must be one. */
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
