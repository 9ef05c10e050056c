package org.cartostream.collectives.algorithm;

import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.PayloadAssembly;
import org.cartostream.collectives.transport.Slice;

/**
 * Broadcast of the payloads of one or more members to all others, each payload along a {@link
 * BroadcastTree} of its own. One payload makes a broadcast, a payload of every member an
 * all-gather. The origin of a payload chooses the algorithm; members that forward a part read it
 * from there.
 */
public final class TreeBroadcast implements AlgorithmPhase {

  private final int rank;
  private final int size;
  private final BitSet origins;
  private final byte[] own;
  private final Algorithm by;
  private final int partBytes;
  private final int atMost;
  private final byte[][] blocks;
  private final PayloadAssembly[] coming;
  private final Algorithm[] ways;
  private int open;

  /**
   * @param origins ranks of the members whose payloads are broadcast
   * @param own this member's payload; unused if it is no origin
   * @param by algorithm by which this member's payload goes; if it is no origin, the algorithm that
   *     it expects of others
   * @param partBytes size of a part, bytes
   * @param atMost size of the largest payload allowed, bytes
   */
  public TreeBroadcast(
      int rank, int size, BitSet origins, byte[] own, Algorithm by, int partBytes, int atMost) {
    this.rank = rank;
    this.size = size;
    this.origins = origins;
    this.own = own;
    this.by = by;
    this.partBytes = partBytes;
    this.atMost = atMost;
    this.blocks = new byte[size][];
    this.coming = new PayloadAssembly[size];
    this.ways = new Algorithm[size];
    this.open = origins.cardinality() - (origins.get(rank) ? 1 : 0);
  }

  @Override
  public void begin(Output out) {
    if (!origins.get(rank)) {
      return;
    }
    int[] children = BroadcastTree.children(by, rank, rank, size);
    int step = by == Algorithm.FLAT ? Math.max(1, own.length) : partBytes;
    int from = 0;
    do {
      int length = Math.min(step, own.length - from);
      send(out, by, rank, from, own.length, new Slice(own, from, length), children);
      from += length;
    } while (from < own.length);
    blocks[rank] = own;
  }

  private static void send(
      Output out, Algorithm by, int origin, int offset, int total, Slice part, int[] children) {
    if (children.length > 0) {
      out.send(by, origin, offset, total, List.of(part), children);
    }
  }

  @Override
  public void take(Frame part, Output out) {
    int origin = part.step();
    if (origin < 0 || origin >= size || origin == rank || !origins.get(origin)) {
      throw new IllegalArgumentException("a payload came of rank " + origin + ", which sends none");
    }
    if (coming[origin] == null) {
      coming[origin] = new PayloadAssembly();
      ways[origin] = part.algorithm();
    }
    coming[origin].take(part, atMost);
    int[] children = BroadcastTree.children(part.algorithm(), origin, rank, size);
    send(out, part.algorithm(), origin, part.offset(), part.total(), part.block(), children);
    if (coming[origin].complete()) {
      blocks[origin] = coming[origin].whole();
      open--;
    }
  }

  @Override
  public boolean done() {
    return open == 0;
  }

  @Override
  public byte[][] result() {
    return blocks;
  }

  @Override
  public BitSet waitingFor() {
    BitSet waiting = new BitSet(size);
    for (int origin = origins.nextSetBit(0); origin >= 0; origin = origins.nextSetBit(origin + 1)) {
      if (origin != rank && blocks[origin] == null) {
        Algorithm way = ways[origin] == null ? by : ways[origin];
        waiting.set(way == Algorithm.AUTO ? origin : BroadcastTree.parent(way, origin, rank, size));
      }
    }
    return waiting;
  }
}
