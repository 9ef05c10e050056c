package org.cartostream.collectives.transport;

import java.util.List;

/**
 * A member's connection to the others of its group: carries frames, whole, in any order, each at
 * most once. It may lose them; the call that waits for a lost frame ends by its timeout.
 */
public interface GroupChannel extends AutoCloseable {

  /** This member's rank, 0 to {@link #size} - 1. */
  int rank();

  /** Members of the group, this one included. */
  int size();

  /** Bytes of the parts in which relayed payloads travel best. */
  int partBytes();

  /**
   * Begins to hand over what arrives, from several threads at a time. Called once.
   *
   * @param receiver takes it
   */
  void open(Receiver receiver);

  /**
   * Sends a frame to some members. Never blocks, from any thread; when it returns, the payload's
   * arrays may be changed. What cannot be sent goes to {@link Receiver#undeliverable}.
   *
   * @param to ranks of others
   */
  void send(Frame frame, int... to);

  /** Leaves the group. The others learn that this member is lost. */
  @Override
  void close();

  /** Receiver of the frames that arrive at a member. No method blocks. */
  interface Receiver {

    /** A frame has come. Its payload's arrays are the receiver's. */
    void receive(Frame frame);

    /**
     * An array to put a part of a payload into that arrives.
     *
     * @param length that it must have, bytes
     * @return null if a new one has to be made
     */
    byte[] spare(int length);

    /**
     * A frame could not be sent.
     *
     * @param frame perhaps without its payload
     * @param rank whom it was for
     * @param why one clause, for people
     */
    void undeliverable(Frame frame, int rank, String why);

    /**
     * Members are gone, as far as this channel knows; all that are gone for one reason at once,
     * lest a call that begins after the first fail by the second.
     *
     * @param ranks theirs
     * @param why one clause, for people
     */
    void lost(List<Integer> ranks, String why);
  }
}
