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
 * <p>Owns the payload's blocks, as far as they have come, and the place of the piece to request
 * next.
 */
final class RendezvousReceive {

  /**
   * Number of pieces that are requested ahead: enough for a network of 1 GB/s with a round trip of
   * half a millisecond, and few enough that hundreds of transfers may run at once.
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
   * @param pieceBytes size of a piece, bytes
   * @param atMost size of the largest payload allowed, bytes
   * @throws IllegalArgumentException if the offer is empty, or offers a payload that is too large
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

  /** Returns the rank of the member that made the offer. */
  int source() {
    return offer.source();
  }

  /**
   * Returns the next request for a piece; null if all pieces have been requested.
   *
   * @param rank this member's rank
   */
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

  /** Returns true if a piece belongs to this transfer, and is still missing. */
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
   * @throws IllegalArgumentException if the piece does not fit the other pieces of its block
   */
  void take(Frame piece) {
    blocks[piece.step() - first].take(piece, atMost);
    missingBytes -= piece.block().length();
  }

  /** Returns the number of bytes that have yet to come. */
  long missingBytes() {
    return missingBytes;
  }

  /** Returns the part as it would have come in one frame, when no byte is missing any more. */
  Frame part() {
    List<Slice> whole = new ArrayList<>(blocks.length);
    for (int block = 0; block < blocks.length; block++) {
      whole.add(Slice.of(lengths[block] == 0 ? new byte[0] : blocks[block].whole()));
    }
    return offer.as(Frame.Kind.PART, whole);
  }
}
