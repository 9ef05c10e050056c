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
 * long for a frame are offered to their receivers, and each receiver requests them piece by piece.
 * So no long payload waits in a buffer or broker for a member that is late or slow. {@link
 * RendezvousReceive} is the other side.
 *
 * <p>Owns the payloads' blocks, numbered in the order of their offers, until all receivers have
 * fetched them.
 */
final class RendezvousSend {

  private final Map<Integer, OfferedBlock> blocks = new HashMap<>();
  private int offered;

  /**
   * @param left number of bytes that a receiver has yet to fetch, by its rank
   */
  private record OfferedBlock(Slice block, Map<Integer, Integer> left) {}

  /**
   * Offers the payload of a part.
   *
   * @param to ranks of the receivers
   * @return the offer: the number of the part's first block, and the length of each block, bytes
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
   * Returns the piece that a member requests; null if it was not offered to that member, or has
   * been fetched.
   *
   * @param rank this member's rank
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

  /** Returns true if all payloads have been fetched. */
  boolean isEmpty() {
    return blocks.isEmpty();
  }

  /** Returns the ranks of the members that have yet to fetch a payload. */
  BitSet unfetched() {
    BitSet ranks = new BitSet();
    blocks.values().forEach(each -> each.left.keySet().forEach(ranks::set));
    return ranks;
  }

  /** Forgets receivers that are lost, as they will fetch nothing any more. */
  void forget(BitSet ranks) {
    blocks.values().forEach(each -> each.left.keySet().removeIf(ranks::get));
    blocks.values().removeIf(each -> each.left.isEmpty());
  }

  /** Withdraws all offers: nothing can be fetched any more. */
  void clear() {
    blocks.clear();
  }
}
