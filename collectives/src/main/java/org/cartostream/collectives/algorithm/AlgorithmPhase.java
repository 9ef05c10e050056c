package org.cartostream.collectives.algorithm;

import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * One member's part in a collective operation: a state machine that says which messages to send,
 * and takes messages in any order. It has neither threads nor a clock; one thread at a time calls
 * it.
 */
public interface AlgorithmPhase {

  /**
   * Begins: sends the messages that need none of the others'. Called once, before the other
   * methods.
   */
  void begin(Output out);

  /**
   * Takes a part that another member sent.
   *
   * @throws IllegalArgumentException if the part does not belong to the operation, or its payload
   *     is malformed
   */
  void take(Frame part, Output out);

  /** Returns true when all parts have come that this member needs or has to pass on. */
  boolean done();

  /**
   * Returns the payloads by rank, when {@link #done}; null where the phase brings this member none.
   */
  byte[][] result();

  /** Returns the ranks of the members whose messages the phase waits for. */
  BitSet waitingFor();

  /** Receiver of the messages that a phase sends. */
  interface Output {

    /**
     * Sends a part; {@link Frame} describes the parameters.
     *
     * @param to ranks of the receivers, none of them this member's
     */
    void send(Algorithm by, int step, int offset, int total, List<Slice> blocks, int... to);
  }
}
