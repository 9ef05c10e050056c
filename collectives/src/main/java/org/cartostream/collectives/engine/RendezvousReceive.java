package org.cartostream.collectives.engine;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.PayloadAssembly;
import org.cartostream.collectives.transport.Slice;

/**
 * The receiving side of a rendezvous: a part whose payload is too long for a frame, which this
 * member fetches piece by piece; see {@link RendezvousSend}.
 *
 * <p>Owns its blocks, as far as they have come, and what is to be asked for next.
 */
final class RendezvousReceive {

  /**
   * Pieces that are asked for at a time: enough for a network of 1 GB/s that answers within half a
   * millisecond, and so few that hundreds of transfers may go on at once.
   */
  static final int WINDOW = 8;

  private final Frame offer;
  private final int first;
  private final int[] lengths;
  private final PayloadAssembly[] blocks;
  private final int pieceBytes;
  private final int atMost;
  private long missingBytes;
  private int nextBlock;
  private int nextOffset;

  /**
   * @param pieceBytes to ask for at a time
   * @param atMost bytes of the largest payload allowed
   * @throws IllegalArgumentException if the offer is none
   */
  RendezvousReceive(Frame offer, int pieceBytes, int atMost) {
    IntBuffer what = ByteBuffer.wrap(offer.block().whole()).asIntBuffer();
    if (!what.hasRemaining()) {
      throw new IllegalArgumentException("an offer of rank " + offer.source() + " is empty");
    }
    this.offer = offer;
    this.first = what.get();
    this.lengths = new int[what.remaining()];
    this.blocks = new PayloadAssembly[lengths.length];
    this.pieceBytes = pieceBytes;
    this.atMost = atMost;
    what.get(lengths);
    for (int block = 0; block < lengths.length; block++) {
      if (lengths[block] < 0 || lengths[block] > atMost) {
        throw new IllegalArgumentException(
            "a payload has " + lengths[block] + " bytes; at most " + atMost + " are allowed");
      }
      blocks[block] = new PayloadAssembly();
      missingBytes += lengths[block];
    }
  }

  /** Rank of the member that it comes from. */
  int source() {
    return offer.source();
  }

  /** The next request for a piece, in the name of that rank; null if all has been asked for. */
  Frame next(int rank) {
    while (nextBlock < lengths.length && nextOffset >= lengths[nextBlock]) {
      nextBlock++;
      nextOffset = 0;
    }
    if (nextBlock == lengths.length) {
      return null;
    }
    int bytes = Math.min(pieceBytes, lengths[nextBlock] - nextOffset);
    Frame fetch =
        offer.about(Frame.Kind.FETCH, rank, first + nextBlock, nextOffset, bytes, List.of());
    nextOffset += bytes;
    return fetch;
  }

  /** True if a piece is one of this. */
  boolean expects(Frame piece) {
    int block = piece.step() - first;
    return piece.source() == offer.source()
        && block >= 0
        && block < blocks.length
        && piece.total() == lengths[block]
        && !blocks[block].complete();
  }

  /**
   * Takes a piece.
   *
   * @throws IllegalArgumentException if it does not fit to the others
   */
  void take(Frame piece) {
    blocks[piece.step() - first].take(piece, atMost);
    missingBytes -= piece.block().length();
  }

  /** Bytes that have yet to come. */
  long missingBytes() {
    return missingBytes;
  }

  /** The part as it would have come in one frame; once nothing is missing. */
  Frame part() {
    List<Slice> whole = new ArrayList<>(blocks.length);
    for (int block = 0; block < blocks.length; block++) {
      whole.add(Slice.of(lengths[block] == 0 ? new byte[0] : blocks[block].whole()));
    }
    return offer.as(Frame.Kind.PART, whole);
  }
}
