package org.cartostream.broker.connection;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.names.BrokerNames;

/**
 * Owns what was published and is not confirmed yet: the letters that wait for the road, in order,
 * and the count and bytes of these and of those on the road. Bounded in both.
 */
final class Outbox {

  /** An encoded message and its way. */
  record OutboundMessage(BrokerNames.Route route, byte[] frame) {}

  /** Rest after a full queue rejected a letter. */
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int maxMessages;
  private final long maxBytes;
  private final long restNanos;
  private final Deque<OutboundMessage> waiting = new ArrayDeque<>();
  private int unconfirmed;
  private long bytes;
  private long restUntilNanos = System.nanoTime();

  Outbox(int mostLetters, long mostBytes) {
    this(mostLetters, mostBytes, REST_NANOS);
  }

  Outbox(int mostLetters, long mostBytes, long restNanos) {
    this.maxMessages = mostLetters;
    this.maxBytes = mostBytes;
    this.restNanos = restNanos;
  }

  /** Takes a letter, or says that it is full; for what may be dropped it is full at half. */
  synchronized boolean offer(OutboundMessage outboundMessage) {
    int share = outboundMessage.route().certain() ? 1 : 2;
    boolean full =
        unconfirmed >= maxMessages / share
            || bytes + outboundMessage.frame().length > maxBytes / share;
    if (full && unconfirmed > 0) {
      return false;
    }
    unconfirmed++;
    bytes += outboundMessage.frame().length;
    waiting.addLast(outboundMessage);
    notifyAll();
    return true;
  }

  /**
   * The next letter for the road, or null if none comes within the time.
   *
   * @param alone true if it has to wait until no other is on the road
   */
  synchronized OutboundMessage next(long millis, boolean alone) throws InterruptedException {
    if (mustWait(alone)) {
      wait(millis);
    }
    return mustWait(alone) ? null : waiting.pollFirst();
  }

  private boolean mustWait(boolean alone) {
    return waiting.isEmpty() || resting() || (alone && unconfirmed > waiting.size());
  }

  /** Letters that must go again, before all others, in the order given. */
  synchronized void putBack(List<OutboundMessage> again) {
    for (int i = again.size() - 1; i >= 0; i--) {
      waiting.addFirst(again.get(i));
    }
    notifyAll();
  }

  /** Letters that a full queue rejected: they go again, but not at once. */
  synchronized void rejected(List<OutboundMessage> again) {
    restUntilNanos = System.nanoTime() + restNanos;
    putBack(again);
  }

  private boolean resting() {
    return System.nanoTime() - restUntilNanos < 0;
  }

  /** Letters that have arrived. */
  synchronized void confirmed(Collection<OutboundMessage> arrived) {
    for (OutboundMessage outboundMessage : arrived) {
      unconfirmed--;
      bytes -= outboundMessage.frame().length;
    }
    notifyAll();
  }

  /** Drops what a newer message replaces: after an outage only the future counts. */
  synchronized void dropReplaceable() {
    for (Iterator<OutboundMessage> all = waiting.iterator(); all.hasNext(); ) {
      OutboundMessage outboundMessage = all.next();
      if (!outboundMessage.route().certain()) {
        all.remove();
        confirmed(List.of(outboundMessage));
      }
    }
  }

  /** How many are here or on the road. */
  synchronized int unconfirmed() {
    return unconfirmed;
  }

  /** Waits until everything is confirmed; false if that takes longer. */
  synchronized boolean awaitEmpty(long millis) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (unconfirmed > 0) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return false;
      }
      wait(left);
    }
    return true;
  }
}
