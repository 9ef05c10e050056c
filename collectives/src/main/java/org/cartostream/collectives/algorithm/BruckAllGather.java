package org.cartostream.collectives.algorithm;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * All-gather in ⌈log2 n⌉ steps (Bruck et al. 1997). Before the step of distance d (1, 2, 4 …) a
 * member has the blocks of the d members from its own rank on; it sends the first min(d, n - d) of
 * them to the member of rank - d, and receives as many from the member of rank + d (modulo n). With
 * empty blocks it is the dissemination barrier (Hensgen, Finkel and Manber 1988).
 */
public final class BruckAllGather implements AlgorithmPhase {

  private final int rank;
  private final int size;
  private final List<Slice> gathered = new ArrayList<>();
  private final List<Frame> early = new ArrayList<>();

  /**
   * @param own this member's block, which nobody changes
   */
  public BruckAllGather(int rank, int size, byte[] own) {
    this.rank = rank;
    this.size = size;
    gathered.add(Slice.of(own));
  }

  @Override
  public void begin(Output out) {
    sendBlocks(out);
  }

  /** Returns the distance d of the next step, which is the number of blocks gathered so far. */
  private int distance() {
    return gathered.size();
  }

  private int wanted() {
    return Math.min(distance(), size - distance());
  }

  private void sendBlocks(Output out) {
    if (!done()) {
      List<Slice> blocks = List.copyOf(gathered.subList(0, wanted()));
      int below = Math.floorMod(rank - distance(), size);
      out.send(Algorithm.DOUBLING, distance(), 0, 0, blocks, below);
    }
  }

  @Override
  public void take(Frame part, Output out) {
    boolean due = part.step() >= distance() && part.step() < size;
    if (part.algorithm() != Algorithm.DOUBLING
        || !due
        || part.source() != (rank + part.step()) % size) {
      throw new IllegalArgumentException(
          "a part came by '" + part.algorithm() + "', step " + part.step() + ", which is not due");
    }
    early.add(part);
    for (Frame next; (next = next()) != null; ) {
      early.remove(next);
      if (next.blocks().size() != wanted()) {
        throw new IllegalArgumentException(
            next.blocks().size() + " blocks came in place of " + wanted());
      }
      gathered.addAll(next.blocks());
      sendBlocks(out);
    }
  }

  private Frame next() {
    for (Frame each : early) {
      if (each.step() == distance()) {
        return each;
      }
    }
    return null;
  }

  @Override
  public boolean done() {
    return gathered.size() == size;
  }

  @Override
  public byte[][] result() {
    byte[][] blocks = new byte[size][];
    for (int i = 0; i < size; i++) {
      blocks[(rank + i) % size] = gathered.get(i).whole();
    }
    return blocks;
  }

  @Override
  public BitSet waitingFor() {
    BitSet waiting = new BitSet(size);
    if (!done()) {
      waiting.set((rank + distance()) % size);
    }
    return waiting;
  }
}
