package org.cartostream.gateway.session;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/**
 * The window of a run's readings that are sent and not answered, bounded by the credit. Owns them
 * and when each was sent.
 */
final class InFlightWindow {

  /** A reading and when it was first sent, {@link System#nanoTime}. */
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

  /** The reading of that number; null if it is none of these. */
  SentReading get(long sequence) {
    return bySequence.get(sequence);
  }

  /** The reading that an answer belongs to, which is answered now; null if it is none of these. */
  SentReading answered(long sequence) {
    return bySequence.remove(sequence);
  }

  /** All of them, oldest first. */
  Collection<SentReading> all() {
    return bySequence.values();
  }

  /** The number of the oldest. */
  long oldest() {
    return bySequence.firstKey();
  }
}
