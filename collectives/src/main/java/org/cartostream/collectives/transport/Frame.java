package org.cartostream.collectives.transport;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.operation.Operation;
import org.cartostream.collectives.operation.RoundKey;

/**
 * One message of a {@link GroupChannel}.
 *
 * @param kind what it is
 * @param key of the operation
 * @param source rank of the member that sends it
 * @param operation that the sender has called
 * @param root rank of the member that the operation is about; 0 where there is none
 * @param phase of the operation, from 0
 * @param algorithm by which it travels
 * @param step meaning depends on the algorithm; for a {@link Kind#ABORT}, the reason; for a {@link
 *     Kind#FETCH} or {@link Kind#PIECE}, the number of the block
 * @param offset where the payload belongs in what it is a part of, bytes
 * @param total bytes of what it is a part of; for a {@link Kind#FETCH}, bytes that are wanted
 * @param blocks the payload
 */
public record Frame(
    Kind kind,
    RoundKey key,
    int source,
    Operation operation,
    int root,
    int phase,
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
    /** Answers that it has. */
    ENTERED,
    /** The sender's call has failed, and so must the receiver's. */
    ABORT,
    /** A part whose payload is too long for a frame; see {@code RendezvousSend}. */
    OFFER,
    /** Asks for some bytes of what was offered. */
    FETCH,
    /** A piece of a payload that was offered. */
    PIECE;

    /** True if a call cannot end well without it. */
    public boolean needed() {
      return switch (this) {
        case PART, OFFER, FETCH, PIECE -> true;
        case PROBE, ENTERED, ABORT -> false;
      };
    }

    /** True if its payload is read from arrays that may be a call's result. */
    public boolean payload() {
      return this == PART || this == PIECE;
    }
  }

  /** A frame without payload about an operation. */
  public static Frame control(Kind kind, RoundKey key, int source, Operation operation, int root) {
    return new Frame(kind, key, source, operation, root, 0, Algorithm.AUTO, 0, 0, 0, List.of());
  }

  /** Bytes of the payload. */
  public long bytes() {
    long bytes = 0; // Asked of every frame, so without an iterator.
    for (int i = 0; i < blocks.size(); i++) {
      bytes += blocks.get(i).length();
    }
    return bytes;
  }

  /** The first block. */
  public Slice block() {
    return blocks.get(0);
  }

  /** A copy of this frame with its payload in arrays of the receiver's. */
  public Frame copiedFor(GroupChannel.Receiver receiver) {
    List<Slice> copies = new ArrayList<>(blocks.size());
    for (Slice block : blocks) {
      copies.add(block.copiedFor(receiver));
    }
    return with(copies);
  }

  /** A copy of this frame without its payload. */
  public Frame head() {
    return with(List.of());
  }

  private Frame with(List<Slice> others) {
    return as(kind, others);
  }

  /** A copy of this frame with another kind and another payload. */
  public Frame as(Kind other, List<Slice> others) {
    return new Frame(
        other, key, source, operation, root, phase, algorithm, step, offset, total, others);
  }

  /** A copy of this frame that is about some bytes of a block. */
  public Frame about(Kind other, int from, int block, int at, int bytes, List<Slice> others) {
    return new Frame(
        other, key, from, operation, root, phase, Algorithm.AUTO, block, at, bytes, others);
  }
}
