package org.cartostream.collectives.algorithm;

import java.util.BitSet;
import java.util.List;
import org.cartostream.collectives.operation.Algorithm;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.Slice;

/**
 * One member's part in one phase of a collective operation, as a state machine: its messages to
 * send, and its handling of messages that come in any order. It knows neither threads nor time; its
 * {@code Round} calls it by one thread at a time.
 */
public interface AlgorithmPhase {

  /** Sends what can be sent before anything has come. Called once, first. */
  void begin(Output out);

  /**
   * Takes a part that another member sent in this phase.
   *
   * @throws IllegalArgumentException if it is none that this phase could bring
   */
  void take(Frame part, Output out);

  /** True when everything has come that this member needs or has to pass on. */
  boolean done();

  /** Once done: blocks by rank, as far as this phase brings them. */
  byte[][] result();

  /** Ranks of the members that must send something next. */
  BitSet waitingFor();

  /** Receiver of the messages that a phase sends. */
  interface Output {

    /**
     * Sends a part; see {@link Frame} for the parameters.
     *
     * @param to ranks, none of them this member's
     */
    void send(Algorithm by, int step, int offset, int total, List<Slice> blocks, int... to);
  }
}
