package org.cartostream.topology.dispatch;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.cartostream.topology.stream.Payload.Arrival;

/**
 * A run's readings since its latest checkpoint, so that they can be processed again, and what the
 * robot sent last: that nothing follows.
 *
 * <p>Owns them. They are acknowledged at the broker when the checkpoint that has them is stored; so
 * where the buffer is lost, the broker sends them again.
 */
final class ReplayBuffer {

  private final NavigableMap<Long, Arrival.OfReading> readings = new TreeMap<>();
  private final NavigableMap<Long, String> refused = new TreeMap<>();

  /** Null until it has come. */
  private Arrival.OfEnd end;

  /** Readings up to this one are in a checkpoint, or were given up. */
  private long durable;

  /** True if readings after {@link #durable} were let go of. */
  private boolean gap;

  /** False if a reading is here already, or is in a checkpoint. */
  boolean add(Arrival.OfReading reading) {
    return reading.sequence() > durable
        && readings.putIfAbsent(reading.sequence(), reading) == null;
  }

  void end(Arrival.OfEnd last) {
    end = last;
  }

  /** Null if it has not come. */
  Arrival.OfEnd end() {
    return end;
  }

  /** Readings up to this one are in a checkpoint. */
  long durable() {
    return durable;
  }

  /** Readings up to this one are in a checkpoint: they will not be processed again. */
  void forgetTo(long reading) {
    durable = reading;
    gap = false;
    readings.headMap(reading, true).clear();
    refused.headMap(reading, true).clear();
  }

  /** A reading was refused before its turn, as it will be when the others are processed again. */
  void refuse(long reading, String sentence) {
    refused.put(reading, sentence);
  }

  /** Why a reading was refused, for people; null if it was not. */
  String refusal(long reading) {
    return refused.get(reading);
  }

  /** A reading will not be processed, now or again. */
  void drop(long reading) {
    readings.remove(reading);
  }

  /** Number of the eldest reading; there is one. */
  long eldest() {
    return readings.firstKey();
  }

  /** Lets go of the eldest reading: the run cannot be restored any more. */
  void giveUpEldest() {
    readings.pollFirstEntry();
    gap = true;
  }

  /** True if the run can be restored: all readings after the checkpoint are here. */
  boolean isWhole() {
    return !gap;
  }

  int size() {
    return readings.size();
  }

  /** All, in their order. */
  List<Arrival.OfReading> all() {
    return new ArrayList<>(readings.values());
  }
}
