package org.cartostream.collectives.algorithm;

import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/** Gather and all-to-all by one message for each pair of members. */
public final class DirectExchange implements AlgorithmPhase {

  private final int rank;
  private final byte[][] outgoing;
  private final BitSet waiting;
  private final UnaryOperator<byte[]> copy;
  private final byte[][] blocks;

  /**
   * @param outgoing payloads that this member sends, by rank of their receiver; null where it sends
   *     none
   * @param from ranks of the members that send a payload to this one
   * @param copy copies the payload that this member sends to itself
   */
  public DirectExchange(int rank, byte[][] outgoing, BitSet from, UnaryOperator<byte[]> copy) {
    this.rank = rank;
    this.outgoing = outgoing;
    this.waiting = (BitSet) from.clone();
    this.blocks = new byte[outgoing.length][];
    this.copy = copy;
    waiting.clear(rank);
  }

  @Override
  public void begin(Output out) {
    // The next rank comes first, so that not all members send to one member at the same time.
    for (int i = 1; i < outgoing.length; i++) {
      int to = (rank + i) % outgoing.length;
      byte[] block = outgoing[to];
      if (block != null) {
        out.send(Algorithm.FLAT, 0, 0, block.length, List.of(Slice.of(block)), to);
      }
    }
    blocks[rank] = outgoing[rank] == null ? null : copy.apply(outgoing[rank]);
  }

  @Override
  public void take(Frame part, Output out) {
    if (!waiting.get(part.source())) {
      throw new IllegalArgumentException("a payload came that nobody waits for");
    }
    blocks[part.source()] = part.block().whole();
    waiting.clear(part.source());
  }

  @Override
  public boolean done() {
    return waiting.isEmpty();
  }

  @Override
  public byte[][] result() {
    return blocks;
  }

  @Override
  public BitSet waitingFor() {
    return waiting;
  }
}
