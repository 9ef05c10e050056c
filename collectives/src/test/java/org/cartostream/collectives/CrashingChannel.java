package org.cartostream.collectives;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.cartostream.collectives.transport.Frame;
import org.cartostream.collectives.transport.GroupChannel;

/** A channel whose member can be made to die when it is about to send a certain part. */
final class CrashingChannel extends ForwardingChannel {

  private final List<Frame> sent = Collections.synchronizedList(new ArrayList<>());
  private volatile Predicate<Frame> fatal = part -> false;
  private volatile boolean dead;

  CrashingChannel(GroupChannel groupChannel) {
    super(groupChannel);
  }

  /** Dies at the first such part, which never leaves. */
  void crashAt(Predicate<Frame> part) {
    fatal = part;
  }

  /** Parts that were sent so far, and all that others are brought parts by. */
  List<Frame> sent() {
    return List.copyOf(sent);
  }

  @Override
  public void send(Frame frame, int... to) {
    if (dead) {
      return;
    }
    if (frame.kind().needed()) {
      if (fatal.test(frame)) {
        dead = true;
        // Not in this thread: it may be one of Netty's, which must not wait for their own work.
        new Thread(this::close, "death of rank " + rank()).start();
        return;
      }
      sent.add(frame);
    }
    super.send(frame, to);
  }
}
