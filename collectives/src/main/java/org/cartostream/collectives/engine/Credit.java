package org.cartostream.collectives.engine;

import java.util.Arrays;
import org.cartostream.collectives.transport.Frame;

/**
 * One member's credit with each other: a window of bytes that it may have on the way, or waiting
 * there for a call, in parts of payloads. A part beyond it is offered, and stays with its sender
 * until its receiver has called and fetches it. So a member that is late slows its senders, and
 * what waits for it is bounded. Credit is given back in halves of the window; what a channel loses
 * counts as spent until the member counts as lost. Thread-safe.
 */
final class Credit {

  /** Memory that a frame without payload takes, about, bytes. */
  private static final int HEAD_BYTES = 256;

  private static final long MAX_WINDOW = 1 << 30;

  private final long window;

  /** Bytes that may be sent, by rank. */
  private final long[] left;

  /** Bytes that have come and do not wait any more, and are to be given back, by rank. */
  private final long[] due;

  private boolean isDue;

  /**
   * @param maxWaitingBytes maximum of what waits here, and on each way; half of it is left for
   *     messages that are no parts
   */
  Credit(int size, long maxWaitingBytes) {
    this.window = Math.min(MAX_WINDOW, maxWaitingBytes / 2 / Math.max(1, size - 1));
    this.left = new long[size];
    this.due = new long[size];
    Arrays.fill(left, window);
  }

  private static long cost(Frame frame) {
    return frame.bytes() + HEAD_BYTES;
  }

  /** Spends the credit for a part with all its receivers, or returns false. */
  synchronized boolean spend(Frame part, int... to) {
    long cost = cost(part);
    for (int rank : to) {
      if (left[rank] < cost) {
        return false;
      }
    }
    for (int rank : to) {
      left[rank] -= cost;
    }
    return true;
  }

  /** Notes that a part waits here, or will be {@link #taken} again. */
  synchronized void held(Frame frame) {
    due[frame.source()] -= frame.kind() == Frame.Kind.PART ? cost(frame) : 0;
  }

  /** Notes that a part has come and was used or dropped. */
  synchronized void taken(Frame frame) {
    due[frame.source()] += frame.kind() == Frame.Kind.PART ? cost(frame) : 0;
    isDue |= due[frame.source()] >= window / 2;
  }

  /** Returns the bytes to be given back to each member now, by rank; null if there are none. */
  synchronized int[] collect() {
    if (!isDue) {
      return null;
    }
    isDue = false;
    int[] back = new int[due.length];
    for (int rank = 0; rank < due.length; rank++) {
      if (due[rank] >= Math.max(1, window / 2)) {
        back[rank] = Math.toIntExact(due[rank]);
        due[rank] = 0;
      }
    }
    return back;
  }

  /** Takes credit that another member gives back. */
  synchronized void back(int rank, int bytes) {
    left[rank] = Math.max(left[rank], Math.min(window, left[rank] + bytes));
  }

  /** Begins anew with a member that is lost: another may have its rank. */
  synchronized void reset(int rank) {
    left[rank] = window;
    due[rank] = 0;
  }
}
