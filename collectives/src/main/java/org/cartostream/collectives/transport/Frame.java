package org.cartostream.collectives.transport;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.OperationKey;

/**
 * One message of a {@link GroupChannel}.
 *
 * @param kind kind of message
 * @param key identifier of the operation
 * @param source rank of the member that sends the frame
 * @param operation operation that the sender has called
 * @param root rank of the operation's root, which in a broadcast is its origin; 0 for an operation
 *     without root
 * @param algorithm message pattern that the part belongs to
 * @param step the distance of a step in {@link Algorithm#DOUBLING}; for a {@link Kind#ABORT}, the
 *     reason; for a {@link Kind#FETCH} or {@link Kind#PIECE}, the number of the block
 * @param offset place of this part in the whole payload, bytes
 * @param total length of the whole payload, bytes; for a {@link Kind#FETCH}, of the bytes that are
 *     requested
 * @param blocks the bytes that this frame brings
 */
public record Frame(
    Kind kind,
    OperationKey key,
    int source,
    Operation operation,
    int root,
    Algorithm algorithm,
    int step,
    int offset,
    int total,
    List<Slice> blocks) {

  /** The kinds of frame. */
  public enum Kind {
    /** A part of a payload. */
    PART,
    /** Asks whether the receiver has called this operation. */
    PROBE,
    /** Answers a {@link #PROBE}: the sender has called this operation. */
    ENTERED,
    /** The sender's call has failed, and so must the receiver's. */
    ABORT,
    /** Offers a part whose payload is too long for a frame; see {@code RendezvousSend}. */
    OFFER,
    /** Requests some bytes of a payload that was offered. */
    FETCH,
    /** A piece of a payload that was offered. */
    PIECE,
    /** Gives back credit: {@code total} bytes of parts have come and do not wait any more. */
    CREDIT;

    /** Returns true if a call cannot end well without a frame of this kind. */
    public boolean needed() {
      return switch (this) {
        case PART, OFFER, FETCH, PIECE -> true;
        case PROBE, ENTERED, ABORT, CREDIT -> false;
      };
    }

    /**
     * Returns the bytes that a frame of this kind adds to what may wait on the way to its receiver,
     * which has room for what it has asked for: eight pieces of each payload.
     */
    public int waitingBytes(int bytes) {
      return this == PIECE ? 0 : bytes;
    }

    /** Returns true if frames of this kind are read from arrays that may be a call's result. */
    public boolean payload() {
      return this == PART || this == PIECE;
    }
  }

  /** Returns a frame without payload about an operation. */
  public static Frame control(Kind kind, OperationKey key, int source, Operation call, int root) {
    return new Frame(kind, key, source, call, root, Algorithm.AUTO, 0, 0, 0, List.of());
  }

  /** Returns the length of all blocks, bytes. */
  public long bytes() {
    long bytes = 0; // Called for every frame, so without an iterator.
    for (int i = 0; i < blocks.size(); i++) {
      bytes += blocks.get(i).length();
    }
    return bytes;
  }

  /** Returns the first block. */
  public Slice block() {
    return blocks.get(0);
  }

  /** Returns a copy of this frame whose blocks lie in arrays of the receiver. */
  public Frame copiedFor(GroupChannel.Receiver receiver) {
    List<Slice> copies = new ArrayList<>(blocks.size());
    for (Slice block : blocks) {
      copies.add(block.copiedFor(receiver));
    }
    return with(copies);
  }

  /** Returns this frame without its blocks. */
  public Frame head() {
    return with(List.of());
  }

  private Frame with(List<Slice> others) {
    return as(kind, others);
  }

  /** Returns this frame with another kind and other blocks. */
  public Frame as(Kind other, List<Slice> others) {
    return new Frame(other, key, source, operation, root, algorithm, step, offset, total, others);
  }

  /**
   * Returns a frame of the same operation about some bytes of a block.
   *
   * @param from rank of the new frame's sender
   * @param block number of the block
   * @param at place of the bytes in the block
   * @param bytes the new frame's {@code total}
   */
  public Frame about(Kind other, int from, int block, int at, int bytes, List<Slice> others) {
    return new Frame(other, key, from, operation, root, Algorithm.AUTO, block, at, bytes, others);
  }
}
