package org.cartostream.gateway;

import java.util.Collection;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.ReadingMessage;
import org.cartostream.slam.sensor.Reading;

/** Owns the readings that are sent and not answered: at most as many as there is credit. */
final class Unanswered {

  /** A reading and when it was first sent, {@link System#nanoTime}. */
  record Sent(Envelope envelope, long atNanos) {
    Reading reading() {
      return ((ReadingMessage) envelope.body()).reading();
    }
  }

  private final int credit;
  private final SortedMap<Long, Sent> bySequence = new TreeMap<>();

  Unanswered(int credit) {
    this.credit = credit;
  }

  boolean hasCredit() {
    return bySequence.size() < credit;
  }

  boolean isEmpty() {
    return bySequence.isEmpty();
  }

  void sent(Envelope envelope, long nowNanos) {
    bySequence.put(envelope.sequence(), new Sent(envelope, nowNanos));
  }

  /** The reading of that number; null if it is none of these. */
  Sent get(long sequence) {
    return bySequence.get(sequence);
  }

  /** The reading that an answer belongs to, which is answered now; null if it is none of these. */
  Sent answered(long sequence) {
    return bySequence.remove(sequence);
  }

  /** All of them, oldest first. */
  Collection<Sent> all() {
    return bySequence.values();
  }

  /** The number of the oldest. */
  long oldest() {
    return bySequence.firstKey();
  }
}
