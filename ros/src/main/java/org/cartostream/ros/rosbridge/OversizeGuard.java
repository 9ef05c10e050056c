package org.cartostream.ros.rosbridge;

import java.util.concurrent.TimeUnit;

/**
 * Guard that drops messages so large that they break the connection. The server's size limit and
 * the speed of the link are unknown. But if the connection broke twice in a row during a large
 * message or right after it, it would break at each further one; so messages of this size and
 * larger are dropped for a while.
 *
 * <p>Owns the size of the last large message, the number of breaks in a row, and the size from
 * which messages are dropped, with the end of dropping. One thread uses it.
 */
final class OversizeGuard {

  /** Length of a message that can be suspected, characters. */
  private static final int LARGE = 1 << 16;

  /** Time after a large message within which a break is blamed on it, nanoseconds. */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Number of breaks in a row after which messages are dropped; a single one may be chance. */
  private static final int BREAKS = 2;

  private static final long DROP_SECONDS = 60;

  private int large;
  private boolean isSending;
  private long sentAtNanos;
  private int breaks;
  private int droppedFrom = Integer.MAX_VALUE;
  private long untilNanos;

  /** True if a message is not to be sent now. */
  boolean shouldDrop(String message, long nanos) {
    if (nanos - untilNanos > 0) {
      droppedFrom = Integer.MAX_VALUE;
    }
    return message.length() >= droppedFrom;
  }

  /** Notes that a message is about to be sent. */
  void onSending(String message, long nanos) {
    if (message.length() >= LARGE) {
      breaks = large > 0 && nanos - sentAtNanos >= SUSPECT_NANOS ? 0 : breaks;
      large = message.length();
      isSending = true;
    }
  }

  /** Notes that the message was sent. */
  void onSent(long nanos) {
    if (isSending) {
      isSending = false;
      sentAtNanos = nanos;
    }
  }

  /**
   * Notes that the connection broke.
   *
   * @return one sentence for people if messages are dropped from now on; else empty
   */
  String onDisconnected(long nanos) {
    boolean suspected = isSending || (large > 0 && nanos - sentAtNanos < SUSPECT_NANOS);
    breaks = suspected ? breaks + 1 : 0;
    boolean drops = breaks >= BREAKS;
    if (drops) {
      droppedFrom = large;
      untilNanos = nanos + TimeUnit.SECONDS.toNanos(DROP_SECONDS);
    }
    String sentence =
        "messages of "
            + large
            + " characters and more are left out for "
            + DROP_SECONDS
            + " s, for the link broke at them; let the server take larger ones, or run the gateway on"
            + " the robot's side of a slow link";
    large = 0;
    isSending = false;
    return drops ? sentence : "";
  }
}
