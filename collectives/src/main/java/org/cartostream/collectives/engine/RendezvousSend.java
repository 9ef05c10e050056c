package org.cartostream.collectives.engine;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * The sending side of a rendezvous, as in MPI's implementations: payloads of one round that are too
 * long for a frame are offered to their receivers, and each is sent what it asks for, when it asks
 * for it. So nothing long waits anywhere for a member that is late or slow. {@link
 * RendezvousReceive} is the other side.
 *
 * <p>Owns the blocks until all have fetched them, numbered as they were offered.
 */
final class RendezvousSend {

  private final Map<Integer, OfferedBlock> blocks = new HashMap<>();
  private int offered;

  /**
   * @param left by rank, bytes that are yet to be fetched
   */
  private record OfferedBlock(Slice block, Map<Integer, Integer> left) {}

  /**
   * Offers the payload of a part.
   *
   * @return the offer: the number of its first block, and bytes of each
   */
  Frame offer(Frame part, int... to) {
    ByteBuffer what = ByteBuffer.allocate(Integer.BYTES * (1 + part.blocks().size()));
    what.putInt(offered);
    for (Slice block : part.blocks()) {
      what.putInt(block.length());
      if (block.length() > 0) {
        Map<Integer, Integer> left = new HashMap<>();
        for (int rank : to) {
          left.put(rank, block.length());
        }
        blocks.put(offered, new OfferedBlock(block, left));
      }
      offered++;
    }
    return part.as(Frame.Kind.OFFER, List.of(Slice.of(what.array())));
  }

  /**
   * The piece that a member asks for, in the name of this member's rank.
   *
   * @return null if that was not offered, or it has been fetched
   */
  Frame serve(Frame fetch, int rank) {
    int number = fetch.step();
    OfferedBlock it = blocks.get(number);
    int left = it == null ? 0 : it.left.getOrDefault(fetch.source(), 0);
    if (fetch.total() < 1
        || fetch.total() > left
        || fetch.offset() < 0
        || fetch.offset() > it.block.length() - fetch.total()) {
      return null;
    }
    Slice piece = it.block.part(fetch.offset(), fetch.total());
    if (left > fetch.total()) {
      it.left.put(fetch.source(), left - fetch.total());
    } else {
      it.left.remove(fetch.source());
      if (it.left.isEmpty()) {
        blocks.remove(number);
      }
    }
    return fetch.about(
        Frame.Kind.PIECE, rank, number, fetch.offset(), it.block.length(), List.of(piece));
  }

  /** True if nothing is left to fetch. */
  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Ranks of the members that have yet to fetch something. */
  BitSet unfetched() {
    BitSet ranks = new BitSet();
    blocks.values().forEach(each -> each.left.keySet().forEach(ranks::set));
    return ranks;
  }

  /** Forgets members that will fetch nothing any more. */
  void forget(BitSet ranks) {
    blocks.values().forEach(each -> each.left.keySet().removeIf(ranks::get));
    blocks.values().removeIf(each -> each.left.isEmpty());
  }

  /** Forgets all: nothing can be fetched any more. */
  void clear() {
    blocks.clear();
  }
}
