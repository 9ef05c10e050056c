package org.cartostream.ros.rosbridge;

import java.util.concurrent.TimeUnit;

/**
 * Guard against messages so large that they break the connection, which are dropped. The server's
 * limit is not known, nor how slow the link is; but where it broke twice in a row while a large
 * message was sent, or right after, it would break at the next one, and so for ever. So messages as
 * large are dropped for a while.
 *
 * <p>Owns the size of the large message that was sent last, at how many the connection broke in a
 * row, and the size from which messages are dropped until when. One thread uses it.
 */
final class OversizeGuard {

  /** Characters; shorter messages are not suspected. */
  private static final int LARGE = 1 << 16;

  /** A server that finds a message too large closes as soon. */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Once may be chance: a map is sent every second. */
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

  /** A message is being sent. */
  void onSending(String message, long nanos) {
    if (message.length() >= LARGE) {
      breaks = large > 0 && nanos - sentAtNanos >= SUSPECT_NANOS ? 0 : breaks;
      large = message.length();
      isSending = true;
    }
  }

  /** The message was sent. */
  void onSent(long nanos) {
    if (isSending) {
      isSending = false;
      sentAtNanos = nanos;
    }
  }

  /**
   * The connection broke.
   *
   * @return one sentence on the messages that are dropped from now on; empty if none are
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
