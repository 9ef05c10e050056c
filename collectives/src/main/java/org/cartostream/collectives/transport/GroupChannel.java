package org.cartostream.collectives.transport;

import java.util.List;

/**
 * A member's connection to the others of its group. The channel carries frames whole, in any order,
 * each at most once. It may lose frames; a call that waits for a lost frame ends by its timeout.
 */
public interface GroupChannel extends AutoCloseable {

  /** Returns this member's rank, 0 to {@link #size} - 1. */
  int rank();

  /** Returns the number of members of the group, this one included. */
  int size();

  /** Returns the size of the parts, bytes, in which payloads that are offered are fetched. */
  int partBytes();

  /** Returns the size of the largest payload of one frame, bytes; larger ones are offered. */
  int maxFrameBytes();

  /**
   * Returns the TCP port at which the others reach this member, for their directories; 0 if it
   * needs none.
   */
  default int port() {
    return 0;
  }

  /**
   * Begins to hand over frames that arrive. Called once.
   *
   * @param receiver takes the frames, from several threads at a time
   */
  void open(Receiver receiver);

  /**
   * Sends a frame to some members. Never blocks; any thread may call it. When it returns, the
   * arrays of the blocks may be changed. A frame that cannot be sent goes to {@link
   * Receiver#undeliverable}.
   *
   * @param to ranks of the receivers, none of them this member's
   */
  void send(Frame frame, int... to);

  /** Leaves the group. The other members learn that this one is lost. */
  @Override
  void close();

  /** Receiver of the frames that arrive at a member. No method may block. */
  interface Receiver {

    /** Takes a frame that has come; the arrays of its blocks belong to the receiver. */
    void receive(Frame frame);

    /**
     * Returns an unused array, into which the channel reads a block that arrives.
     *
     * @param length length that the array must have, bytes
     * @return null if the channel must make a new array
     */
    byte[] spare(int length);

    /**
     * Learns that a frame could not be sent.
     *
     * @param frame the frame, perhaps without its blocks
     * @param rank rank of the frame's receiver
     * @param why the reason as a clause, for people
     */
    void undeliverable(Frame frame, int rank, String why);

    /**
     * Learns that members are gone, as far as this channel knows. Members that are gone for one
     * reason are reported together: else an epoch that begins after the first report would fail by
     * the second.
     *
     * @param ranks ranks of the members
     * @param why the reason as a clause, for people
     */
    void lost(List<Integer> ranks, String why);
  }
}
