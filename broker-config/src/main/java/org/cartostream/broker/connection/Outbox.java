package org.cartostream.broker.connection;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.cartostream.broker.names.BrokerNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of published messages, which are kept until the broker confirms them. Owns those that
 * wait to be sent, in order, and the count and bytes of these and of those in flight. Bounded in
 * both.
 */
final class Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private static final AtomicLong NUMBERS = new AtomicLong();

  /**
   * An encoded message and its way.
   *
   * @param number by which messages go in the order in which they were made
   */
  record OutboundMessage(BrokerNames.Route route, byte[] frame, long number) {
    OutboundMessage(BrokerNames.Route route, byte[] frame) {
      this(route, frame, NUMBERS.incrementAndGet());
    }
  }

  /** Pause after a full queue rejected a message. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int maxMessages;
  private final long maxBytes;
  private final long pauseNanos;
  private final Queue<OutboundMessage> waiting =
      new PriorityQueue<>(Comparator.comparingLong(OutboundMessage::number));
  private int unconfirmed;
  private long bytes;
  private long rejected;
  private long pausedUntilNanos = System.nanoTime();

  Outbox(int maxMessages, long maxBytes) {
    this(maxMessages, maxBytes, PAUSE_NANOS);
  }

  Outbox(int maxMessages, long maxBytes, long pauseNanos) {
    this.maxMessages = maxMessages;
    this.maxBytes = maxBytes;
    this.pauseNanos = pauseNanos;
  }

  /**
   * Takes all pieces of a message, or none; false if it is full, which for a replaceable message it
   * is at half.
   */
  synchronized boolean offer(List<OutboundMessage> pieces) {
    int share = pieces.get(0).route().certain() ? 1 : 2;
    long size = pieces.stream().mapToLong(each -> each.frame().length).sum();
    boolean full = unconfirmed >= maxMessages / share || bytes + size > maxBytes / share;
    if (full && unconfirmed > 0) {
      return false;
    }
    unconfirmed += pieces.size();
    bytes += size;
    waiting.addAll(pieces);
    notifyAll();
    return true;
  }

  /**
   * The next message to be sent, or null if none comes within the time.
   *
   * @param alone true if it has to wait until no other is in flight
   */
  synchronized OutboundMessage next(long millis, boolean alone) throws InterruptedException {
    if (mustWait(alone)) {
      wait(millis);
    }
    return mustWait(alone) ? null : waiting.poll();
  }

  private boolean mustWait(boolean alone) {
    return waiting.isEmpty() || isPaused() || (alone && unconfirmed > waiting.size());
  }

  /** Messages that must be sent again, in their old places. */
  synchronized void putBack(List<OutboundMessage> again) {
    waiting.addAll(again);
    notifyAll();
  }

  /**
   * Messages that a full queue rejected. Readings are sent again, but not at once. An answer is
   * dropped: its robot takes none, and asks again for what it misses; others wait for theirs.
   */
  synchronized void rejected(List<OutboundMessage> messages) {
    Map<Boolean, List<OutboundMessage>> byKind =
        messages.stream().collect(Collectors.partitioningBy(each -> each.route().isAnswer()));
    for (OutboundMessage each : messages) {
      rejected++;
      if (Long.bitCount(rejected) == 1) { // Ever more seldom.
        LOG.warn(
            "{} is {}, for its queue at the broker is full ({} messages so far)",
            each.route().routingKey(),
            each.route().isAnswer() ? "dropped" : "sent again",
            rejected);
      }
    }
    confirmed(byKind.get(true));
    if (!byKind.get(false).isEmpty()) {
      pausedUntilNanos = System.nanoTime() + pauseNanos;
      putBack(byKind.get(false));
    }
  }

  private boolean isPaused() {
    return System.nanoTime() - pausedUntilNanos < 0;
  }

  /** Messages that have arrived. */
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

  /** Returns how many wait or are in flight. */
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
