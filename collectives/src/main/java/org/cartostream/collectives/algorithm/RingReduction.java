package org.cartostream.collectives.algorithm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Reduction;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.PayloadAssembly;
import org.cartostream.collectives.transport.Slice;

/**
 * Reduction along the ring: rank 0 sends its payload to rank 1, which adds its own and sends the
 * sum to rank 2, and so on. The last rank has the result, and sends it to the root, or onwards
 * around the ring to all. Payloads go in parts, so that all members add at the same time. Every sum
 * is taken in rank order.
 */
public final class RingReduction implements AlgorithmPhase {

  private static final int UP = 0;
  private static final int DOWN = 1;

  private final int rank;
  private final int size;
  private final byte[] own;
  private final Reduction reduction;
  private final int partBytes;
  private final int atMost;
  private final int root;
  private final PayloadAssembly result = new PayloadAssembly();
  private final byte[][] blocks;
  private int below;
  private boolean allBelow;

  /**
   * @param own this member's payload, which nobody changes
   * @param atMost size of the largest payload allowed, bytes
   * @param root rank of the member that gets the result; -1 if all get it
   */
  public RingReduction(
      int rank, int size, byte[] own, Reduction reduction, int partBytes, int atMost, int root) {
    this.rank = rank;
    this.size = size;
    this.own = own;
    this.reduction = reduction;
    this.partBytes = Reduction.partBytes(partBytes);
    this.atMost = atMost;
    this.root = root;
    this.blocks = new byte[size][];
    this.allBelow = rank == 0;
  }

  @Override
  public void begin(Output out) {
    if (rank > 0) {
      return;
    }
    int from = 0;
    do {
      int length = Math.min(partBytes, own.length - from);
      reduced(from, own.length, Arrays.copyOfRange(own, from, from + length), out);
      from += length;
    } while (from < own.length);
  }

  @Override
  public void take(Frame part, Output out) {
    if (part.algorithm() != Algorithm.RING) {
      throw new IllegalArgumentException("a part came by '" + part.algorithm() + "'");
    }
    if (part.step() == UP && part.source() == rank - 1 && !allBelow) {
      add(part, out);
    } else if (part.step() == DOWN && wantsResult() && part.source() == above()) {
      finished(part, out);
    } else {
      throw new IllegalArgumentException("a part came that nobody waits for");
    }
  }

  private void add(Frame part, Output out) {
    below += part.block().length();
    allBelow = below >= part.total();
    byte[] left = part.block().whole();
    if (part.total() != own.length) {
      throw new IllegalArgumentException(
          "payloads of " + part.total() + " and " + own.length + " bytes cannot be added up");
    }
    byte[] right = Arrays.copyOfRange(own, part.offset(), part.offset() + left.length);
    reduced(part.offset(), own.length, reduction.combine(left, right), out);
  }

  /**
   * Sends a part of the sum over ranks 0 to this one to the next rank; at the last rank, that part
   * is final.
   */
  private void reduced(int offset, int total, byte[] sum, Output out) {
    if (rank < size - 1) {
      send(out, UP, offset, total, sum, rank + 1);
    } else {
      Frame own = part(offset, total, sum);
      finished(own, out);
    }
  }

  private Frame part(int offset, int total, byte[] bytes) {
    return new Frame(
        Frame.Kind.PART,
        null,
        rank,
        null,
        0,
        0,
        Algorithm.RING,
        DOWN,
        offset,
        total,
        List.of(Slice.of(bytes)));
  }

  /**
   * Passes a part of the result on to the next member, and keeps it if this member wants the
   * result.
   */
  private void finished(Frame part, Output out) {
    int next = next();
    if (next >= 0) {
      send(out, DOWN, part.offset(), part.total(), part.block().whole(), next);
    }
    if (wantsResult()) {
      result.take(part, atMost);
      if (result.complete()) {
        blocks[rank] = result.whole();
      }
    }
  }

  private static void send(Output out, int step, int offset, int total, byte[] bytes, int to) {
    out.send(Algorithm.RING, step, offset, total, List.of(Slice.of(bytes)), to);
  }

  private boolean wantsResult() {
    return root < 0 || root == rank;
  }

  /** Returns the rank to which this member sends the result; -1 if it sends it to nobody. */
  private int next() {
    int last = size - 1;
    if (root >= 0) {
      return rank == last && root != last ? root : -1;
    }
    int next = (rank + 1) % size;
    return next == last ? -1 : next;
  }

  /** Returns the rank of the member from which this one gets the result. */
  private int above() {
    return root >= 0 ? size - 1 : Math.floorMod(rank - 1, size);
  }

  @Override
  public boolean done() {
    return allBelow && (!wantsResult() || result.complete());
  }

  @Override
  public byte[][] result() {
    return blocks;
  }

  @Override
  public BitSet waitingFor() {
    BitSet waiting = new BitSet(size);
    if (!allBelow) {
      waiting.set(rank - 1);
    } else if (!done()) {
      waiting.set(above());
    }
    return waiting;
  }
}
