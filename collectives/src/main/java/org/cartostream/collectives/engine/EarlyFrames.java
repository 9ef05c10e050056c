package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;

/**
 * Buffer of frames that come before their round is ready for them. Owns them, and their bytes among
 * those that may wait at the member. Guarded as its {@link Round} is.
 */
final class EarlyFrames {

  /** Bytes of memory that a frame without payload takes, about. */
  private static final int HEAD_BYTES = 256;

  private final Member member;
  private List<Frame> frames = new ArrayList<>(2);
  private long bytes;

  EarlyFrames(Member member) {
    this.member = member;
  }

  /** Keeps a frame; false if no further one may wait. */
  boolean add(Frame frame) {
    if (!member.reserve(cost(frame))) {
      return false;
    }
    frames.add(frame);
    bytes += cost(frame);
    return true;
  }

  /** All of them, in the order in which they came. */
  List<Frame> all() {
    return frames;
  }

  /** Takes out those of a phase and of earlier ones, in the order in which they came. */
  List<Frame> take(int phase) {
    List<Frame> due = new ArrayList<>(frames.size());
    List<Frame> later = new ArrayList<>(2);
    for (Frame frame : frames) {
      if (frame.phase() > phase) {
        later.add(frame);
      } else {
        due.add(frame);
        member.release(cost(frame));
        bytes -= cost(frame);
      }
    }
    frames = later;
    return due;
  }

  private static long cost(Frame frame) {
    return frame.bytes() + HEAD_BYTES;
  }

  /** Frees what waits. */
  void clear() {
    member.release(bytes);
    bytes = 0;
    frames = new ArrayList<>(2);
  }
}
