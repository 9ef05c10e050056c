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
 * Queue of published messages, which are kept until the broker confirms them. Owns the messages
 * that wait to be sent, in order, and the number and the bytes of all that wait or are in flight,
 * both of which are bounded.
 */
final class Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  private static final AtomicLong NUMBERS = new AtomicLong();

  /**
   * Encoded message with its route.
   *
   * @param number serial number; messages are sent in the order of their numbers
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
   * Takes a message; returns false if the outbox is full. For a message that a newer one may
   * replace, half of its bounds count.
   */
  boolean offer(OutboundMessage outboundMessage) {
    return offer(List.of(outboundMessage));
  }

  /** Takes all pieces of a message, or none. */
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
   * Returns the next message to be sent, or null if none comes within the time.
   *
   * @param alone true if the message must wait until no other is in flight
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

  /** Takes back messages that must be sent again, each into its old place. */
  synchronized void putBack(List<OutboundMessage> again) {
    waiting.addAll(again);
    notifyAll();
  }

  /**
   * Handles messages that a full queue rejected. Readings are sent again after a pause. An answer
   * is dropped: its robot takes none at present, and later asks for what it misses; other robots'
   * answers must not wait behind it.
   */
  synchronized void rejected(List<OutboundMessage> messages) {
    Map<Boolean, List<OutboundMessage>> byKind =
        messages.stream().collect(Collectors.partitioningBy(each -> each.route().isAnswer()));
    for (OutboundMessage each : messages) {
      rejected++;
      if (Long.bitCount(rejected) == 1) { // At 1, 2, 4, 8 and so on.
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

  /** Removes messages that have arrived, or are dropped, from the counts. */
  synchronized void confirmed(Collection<OutboundMessage> arrived) {
    for (OutboundMessage outboundMessage : arrived) {
      unconfirmed--;
      bytes -= outboundMessage.frame().length;
    }
    notifyAll();
  }

  /**
   * Drops the waiting messages that a newer one may replace: after an outage only newer ones count.
   */
  synchronized void dropReplaceable() {
    for (Iterator<OutboundMessage> all = waiting.iterator(); all.hasNext(); ) {
      OutboundMessage outboundMessage = all.next();
      if (!outboundMessage.route().certain()) {
        all.remove();
        confirmed(List.of(outboundMessage));
      }
    }
  }

  /** Returns how many messages wait or are in flight. */
  synchronized int unconfirmed() {
    return unconfirmed;
  }

  /** Waits until all messages are confirmed; returns false if that takes longer. */
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
