package org.cartostream.ros.rosbridge;

import java.util.concurrent.TimeUnit;

/**
 * Spares a link the words that break it. The server's limit is not known, nor how slow the link is;
 * but where it broke twice in a row while a large word was sent, or right after, it would break at
 * the next one, and so for ever. So words as large are left out for a while.
 *
 * <p>Owns which large word was sent last, at how many the link broke in a row, and what is left out
 * until when. One thread uses it.
 */
final class OversizeGuard {

  /** Characters; shorter words are not suspected. */
  private static final int LARGE = 1 << 16;

  /** A server that finds a word too large closes as soon. */
  private static final long SUSPECT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Once may be chance: a map is sent every second. */
  private static final int BREAKS = 2;

  private static final long LEFT_OUT_SECONDS = 60;

  private int large;
  private boolean underway;
  private long saidAtNanos;
  private int breaks;
  private int least = Integer.MAX_VALUE;
  private long untilNanos;

  /** True if a word is not to be sent now. */
  boolean shouldDrop(String word, long nanos) {
    if (nanos - untilNanos > 0) {
      least = Integer.MAX_VALUE;
    }
    return word.length() >= least;
  }

  /** A word is being sent. */
  void onSending(String word, long nanos) {
    if (word.length() >= LARGE) {
      breaks = large > 0 && nanos - saidAtNanos >= SUSPECT_NANOS ? 0 : breaks;
      large = word.length();
      underway = true;
    }
  }

  /** It was sent. */
  void onSent(long nanos) {
    if (underway) {
      underway = false;
      saidAtNanos = nanos;
    }
  }

  /**
   * The link broke.
   *
   * @return what is left out from now on, one sentence; empty if nothing is
   */
  String onDisconnected(long nanos) {
    boolean suspected = underway || (large > 0 && nanos - saidAtNanos < SUSPECT_NANOS);
    breaks = suspected ? breaks + 1 : 0;
    boolean leavesOut = breaks >= BREAKS;
    if (leavesOut) {
      least = large;
      untilNanos = nanos + TimeUnit.SECONDS.toNanos(LEFT_OUT_SECONDS);
    }
    String sentence =
        "messages of "
            + large
            + " characters and more are left out for "
            + LEFT_OUT_SECONDS
            + " s, for the link broke at them; let the server take larger ones, or run the gateway on"
            + " the robot's side of a slow link";
    large = 0;
    underway = false;
    return leavesOut ? sentence : "";
  }
}
