package org.cartostream.collectives.engine;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;

/**
 * Actions that are collected under the lock of a robot's rounds and performed after the lock's
 * release. Sending a frame takes time and can call another member; completing a call runs its
 * callbacks. Under the lock either could cause a deadlock.
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

  /**
   * Returns true if parts of a payload are to be sent. They are read from an array that may be a
   * call's result, so that call must not end before.
   */
  boolean parts() {
    return parts;
  }

  /**
   * Sends the frames, then completes the calls, even if sending throws an error such as a lack of
   * memory.
   */
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
