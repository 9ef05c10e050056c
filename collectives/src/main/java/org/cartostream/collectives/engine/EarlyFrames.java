package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;

/**
 * Buffer of frames that come before this member's call. Owns the frames, whose senders get their
 * {@link Credit} back when they leave it. Guarded by the lock of the robot's {@link RobotRounds}.
 */
final class EarlyFrames {

  private final Credit credit;
  private List<Frame> frames = new ArrayList<>(2);

  EarlyFrames(Credit credit) {
    this.credit = credit;
  }

  void add(Frame frame) {
    frames.add(frame);
    credit.held(frame);
  }

  /** Returns all frames, in the order in which they came. */
  List<Frame> all() {
    return frames;
  }

  /** Takes out all frames, in the order in which they came. */
  List<Frame> take() {
    List<Frame> taken = frames;
    frames = List.of();
    taken.forEach(credit::taken);
    return taken;
  }
}
