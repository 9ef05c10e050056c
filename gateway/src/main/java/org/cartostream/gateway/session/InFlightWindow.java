package org.cartostream.gateway.session;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * The window of a run's readings that were sent and not answered, bounded by the credit. Owns these
 * readings and the times of sending.
 */
final class InFlightWindow {

  /** A reading and the {@link System#nanoTime} at which it was first sent. */
  record SentReading(Envelope envelope, long atNanos) {
    Reading reading() {
      return ((ReadingMessage) envelope.body()).reading();
    }
  }

  private final int credit;
  private final SortedMap<Long, SentReading> bySequence = new TreeMap<>();

  InFlightWindow(int credit) {
    this.credit = credit;
  }

  boolean hasCredit() {
    return bySequence.size() < credit;
  }

  boolean isEmpty() {
    return bySequence.isEmpty();
  }

  void sent(Envelope envelope, long nowNanos) {
    bySequence.put(envelope.sequence(), new SentReading(envelope, nowNanos));
  }

  /** Returns the unanswered reading of a number; null if there is none. */
  SentReading get(long sequence) {
    return bySequence.get(sequence);
  }

  /**
   * Removes and returns the reading of a number, which was answered; null if it is not in the
   * window.
   */
  SentReading answered(long sequence) {
    return bySequence.remove(sequence);
  }

  /** Returns all unanswered readings, oldest first. */
  Collection<SentReading> all() {
    return bySequence.values();
  }

  /** Returns the number of the oldest unanswered reading. */
  long oldest() {
    return bySequence.firstKey();
  }
}
