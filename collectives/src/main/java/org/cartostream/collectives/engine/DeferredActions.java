package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;

/**
 * Actions that wait until a robot's rounds are unlocked: sending takes time and may lead into
 * another member, and a call's end runs callbacks.
 */
final class DeferredActions {

  private final List<Frame> frames = new ArrayList<>(4);
  private final List<int[]> receivers = new ArrayList<>(4);
  private final List<Runnable> ends = new ArrayList<>(1);
  private boolean parts;

  void send(Frame frame, int... to) {
    if (to.length > 0) {
      frames.add(frame);
      receivers.add(to);
      parts |= frame.kind().payload();
    }
  }

  void end(Runnable end) {
    ends.add(end);
  }

  /** True if there are parts to send, which are read from arrays that may be a call's result. */
  boolean parts() {
    return parts;
  }

  /** A call that is to end does so even if the channel cannot send, as for want of memory. */
  void perform(GroupChannel groupChannel) {
    try {
      for (int i = 0; i < frames.size(); i++) {
        groupChannel.send(frames.get(i), receivers.get(i));
      }
    } finally {
      ends.forEach(Runnable::run);
    }
  }
}
