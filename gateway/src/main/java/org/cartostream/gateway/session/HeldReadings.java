package org.cartostream.gateway.session;

import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;

/**
 * The readings of a run that were sent and are in no checkpoint of the service yet, for it may need
 * them again; and the last one in any case. When they take too many bytes the oldest go.
 */
final class HeldReadings {

  /** Estimated bytes of a reading beside its ranges. */
  private static final int OTHER_BYTES = 200;

  private final long maxBytes;
  private final NavigableMap<Long, Envelope> bySequence = new TreeMap<>();
  private long bytes;

  HeldReadings(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  void add(Envelope reading) {
    if (bySequence.put(reading.sequence(), reading) == null) {
      bytes += bytes(reading);
    }
    while (bytes > maxBytes && bySequence.size() > 1) {
      removeOldest();
    }
  }

  /** Readings up to this one are in a checkpoint. */
  void durableTo(long sequence) {
    while (bySequence.size() > 1 && bySequence.firstKey() <= sequence) {
      removeOldest();
    }
  }

  private void removeOldest() {
    bytes -= bytes(bySequence.pollFirstEntry().getValue());
  }

  /** Returns the held readings from one number to another, in their order. */
  List<Envelope> between(long from, long to) {
    return List.copyOf(bySequence.subMap(from, true, to, true).values());
  }

  /** All, by their numbers. */
  NavigableMap<Long, Envelope> all() {
    return bySequence;
  }

  /** The last reading; null before the first. */
  Envelope last() {
    return bySequence.isEmpty() ? null : bySequence.lastEntry().getValue();
  }

  /** About how many bytes they take, here and in a file. */
  long bytes() {
    return bytes;
  }

  void clear() {
    bySequence.clear();
    bytes = 0;
  }

  private static long bytes(Envelope reading) {
    int beams = ((ReadingMessage) reading.body()).reading().scan().ranges().length;
    return (long) Float.BYTES * beams + OTHER_BYTES;
  }
}
