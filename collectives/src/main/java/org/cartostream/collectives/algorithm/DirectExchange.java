package org.cartostream.collectives.algorithm;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * Any operation by one message for each pair of members of which one has a payload for the other.
 */
public final class DirectExchange implements AlgorithmPhase {

  private final int rank;
  private final byte[][] outgoing;
  private final BitSet waiting;
  private final byte[][] blocks;

  /**
   * @param outgoing payloads that this member sends, by rank of their receiver; null where it sends
   *     none. That for itself becomes part of the result
   * @param from ranks of the members that send a payload to this one
   */
  public DirectExchange(int rank, byte[][] outgoing, BitSet from) {
    this.rank = rank;
    this.outgoing = outgoing;
    this.waiting = (BitSet) from.clone();
    this.blocks = new byte[outgoing.length][];
    waiting.clear(rank);
  }

  @Override
  public void begin(Output out) {
    blocks[rank] = outgoing[rank];
    // The next rank comes first, so that not all members send to one member at the same time.
    int[] others =
        IntStream.range(1, outgoing.length)
            .map(i -> (rank + i) % outgoing.length)
            .filter(to -> outgoing[to] != null)
            .toArray();
    for (int first = 0, next; first < others.length; first = next) {
      byte[] block = outgoing[others[first]];
      // One message for all that get the same array.
      for (next = first + 1; next < others.length && outgoing[others[next]] == block; next++) {}
      int[] to = Arrays.copyOfRange(others, first, next);
      out.send(Algorithm.FLAT, 0, 0, block.length, List.of(Slice.of(block)), to);
    }
  }

  @Override
  public void take(Frame part, Output out) {
    if (part.algorithm() != Algorithm.FLAT || !waiting.get(part.source())) {
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
