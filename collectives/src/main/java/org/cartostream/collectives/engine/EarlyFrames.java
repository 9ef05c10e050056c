package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;

/**
 * Buffer of frames that come before their round is ready for them. Owns the frames, and their share
 * of the bytes that may wait at the member. Guarded by the lock of the robot's {@link RobotRounds}.
 */
final class EarlyFrames {

  /** Memory that a frame without payload takes, about, bytes. */
  private static final int HEAD_BYTES = 256;

  private final Member member;
  private List<Frame> frames = new ArrayList<>(2);
  private long bytes;

  EarlyFrames(Member member) {
    this.member = member;
  }

  /** Keeps a frame; false if the member has no room for it. */
  boolean add(Frame frame) {
    if (!member.reserve(cost(frame))) {
      return false;
    }
    frames.add(frame);
    bytes += cost(frame);
    return true;
  }

  /** Returns all frames, in the order in which they came. */
  List<Frame> all() {
    return frames;
  }

  /** Takes out the frames of a phase and of earlier phases, in the order in which they came. */
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

  /** Drops all frames and releases their bytes. */
  void clear() {
    member.release(bytes);
    bytes = 0;
    frames = new ArrayList<>(2);
  }
}
