package org.cartostream.gateway;

import java.util.Iterator;
import java.util.function.Consumer;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;

/**
 * A log as the readings to be sent, each with the time at which it is due.
 *
 * <p>Owns the log's iterator, the reading that is next, and the moment of the first: the others are
 * due as long after it as the pace says.
 */
final class Feed {

  private final Iterator<LogEntry> log;
  private final Pace pace;
  private final Consumer<Refusal.Because> onRefused;
  private Reading next;
  private boolean begun;
  private long firstStampNanos;
  private long firstSentNanos;

  /**
   * @param onRefused takes what the log's reader refused, in the order of the log
   */
  Feed(Iterator<LogEntry> log, Pace pace, Consumer<Refusal.Because> onRefused) {
    this.log = log;
    this.pace = pace;
    this.onRefused = onRefused;
  }

  /**
   * The reading that is next, the same until it is {@link #sent}; null at the end of the log.
   *
   * @throws java.io.UncheckedIOException if the log cannot be read any further
   */
  Reading next() {
    while (next == null && log.hasNext()) {
      LogEntry entry = log.next();
      if (entry instanceof LogEntry.Taken taken) {
        next = taken.reading();
      } else if (entry instanceof LogEntry.Refused refused) {
        onRefused.accept(refused.why());
      }
    }
    return next;
  }

  /** The reading that is next was sent. */
  void sent(long nanoTime) {
    if (!begun) {
      begun = true;
      firstStampNanos = next.stampNanos();
      firstSentNanos = nanoTime;
    }
    next = null;
  }

  /** The reading that is next will not be sent. */
  void drop() {
    next = null;
  }

  /** True if a reading is here that was not sent yet. */
  boolean holdsNext() {
    return next != null;
  }

  /** How long until the reading that is here is due; 0 or less if it is. */
  long dueInNanos(long nanoTime) {
    return begun
        ? firstSentNanos + pace.replayNanos(next.stampNanos() - firstStampNanos) - nanoTime
        : 0;
  }
}
