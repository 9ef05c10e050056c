package org.cartostream.topology.dispatch;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload.Arrival;

/**
 * Orders the readings of one run by their numbers: which is next, and which wait for one before
 * them.
 *
 * <p>Numbers run 1, 2, 3 … without a gap, and the robot's credit bounds how far they are ahead. So
 * a gap is waited for, for as long as it takes: the robot's side is asked for what is missing. A
 * run that was restored has no such bound: its robot may have had answers that are only repeated
 * now, and go by them.
 *
 * <p>Owns the readings that wait, the numbers of those that were refused before their turn, the
 * robot's message that nothing follows, and the number of the latest that had its turn.
 */
final class ReorderBuffer {

  /** Readings that are asked for at a time, at most. */
  private static final int MOST_ASKED = 500;

  /**
   * So many are refused for too many that wait, before another has its turn: to answer each of a
   * flood would cost more than the filter does.
   */
  private static final int MOST_REFUSED = 10;

  private final TopologySettings settings;
  private final NavigableMap<Long, Arrival.OfReading> waiting = new TreeMap<>();
  private final NavigableSet<Long> refused = new TreeSet<>();

  /** Number of readings refused since one had its turn. */
  private int refusedSinceTurn;

  /** This number had its turn, and all before it. */
  private long settled;

  /** Null until the robot has sent that nothing follows. */
  private Arrival.OfEnd end;

  /** True if the robot may have had answers to readings that have not had their turn here. */
  private final boolean restored;

  /** Number of the last reading that comes because it was asked for. */
  private long askedTo;

  /** Readings that have not come, though a later one has: of these numbers, both among them. */
  record Gap(long first, long last) {}

  /** The decision on a reading that arrives. */
  enum Disposition {
    /** It waits for its turn. */
    WAITS,
    /** It had its turn, or waits already. */
    REPEATED,
    /** It comes after the end. */
    AFTER_THE_END,
    /** Too many wait: it is refused. */
    TOO_MANY,
    /** The same, and many were refused already: it is as if it had not come. */
    DROPPED
  }

  /**
   * @param settled number of the latest reading that had its turn
   * @param refused numbers after it that were refused before their turn
   * @param restored true if the robot may have had answers to readings after it
   */
  ReorderBuffer(TopologySettings settings, long settled, long[] refused, boolean restored) {
    this.settings = settings;
    this.settled = settled;
    this.restored = restored;
    for (long each : refused) {
      this.refused.add(each);
    }
  }

  /** The number of the latest reading that had its turn, or was refused before it. */
  long settled() {
    skipRefused();
    return settled;
  }

  /** Numbers after {@link #settled} that were refused before their turn, ascending. */
  long[] refused() {
    skipRefused();
    return refused.stream().mapToLong(Long::longValue).toArray();
  }

  /**
   * A reading has come.
   *
   * @param inFilter how many that had their turn are still being processed
   */
  Disposition receive(Arrival.OfReading reading, int inFilter) {
    long sequence = reading.sequence();
    skipRefused();
    if (sequence <= settled || waiting.containsKey(sequence) || refused.contains(sequence)) {
      return Disposition.REPEATED;
    }
    if (end != null && sequence > end.sequence()) {
      return Disposition.AFTER_THE_END;
    }
    boolean servedAtOnce = inFilter == 0 && sequence == settled + 1;
    int ahead = waiting.size() + Math.max(0, inFilter - 1);
    if (!restored && sequence > askedTo && ahead >= settings.waitingReadings() && !servedAtOnce) {
      if (refusedSinceTurn == MOST_REFUSED) {
        return Disposition.DROPPED;
      }
      refusedSinceTurn++;
      refused.add(sequence);
      return Disposition.TOO_MANY;
    }
    waiting.put(sequence, reading);
    return Disposition.WAITS;
  }

  /** A reading was refused before its turn, and will not come again. */
  void skip(long sequence) {
    refused.add(sequence);
  }

  /** Number of readings that wait. */
  int size() {
    return waiting.size();
  }

  /** Nothing follows the readings up to a number. */
  void receive(Arrival.OfEnd last) {
    if (end == null) {
      end = last;
    }
  }

  /** The readings missing before those that wait, or before the end; empty if none are. */
  Optional<Gap> gap() {
    skipRefused();
    long before = end == null ? settled : end.sequence() + 1;
    if (!waiting.isEmpty()) {
      before = waiting.firstKey();
    }
    long last = Math.min(before - 1, settled + MOST_ASKED);
    return last > settled ? Optional.of(new Gap(settled + 1, last)) : Optional.empty();
  }

  /** These are asked for: they will come, however many others wait. */
  void asked(Gap gap) {
    askedTo = Math.max(askedTo, gap.last());
  }

  /** True if it is the turn of one that waits. */
  boolean hasNext() {
    skipRefused();
    return !waiting.isEmpty() && waiting.firstKey() == settled + 1;
  }

  /** The one whose turn it is, which waits on; there is one. */
  Arrival.OfReading first() {
    return waiting.firstEntry().getValue();
  }

  /** The one whose turn it is; there is one. */
  Arrival.OfReading next() {
    Arrival.OfReading next = waiting.pollFirstEntry().getValue();
    settled = next.sequence();
    refusedSinceTurn = 0;
    return next;
  }

  /** The robot's message that nothing follows, if all before it have had their turn. */
  Optional<Arrival.OfEnd> end() {
    skipRefused();
    return end != null && settled >= end.sequence() ? Optional.of(end) : Optional.empty();
  }

  private void skipRefused() {
    while (!refused.isEmpty() && refused.first() <= settled + 1) {
      settled = Math.max(settled, refused.pollFirst());
    }
  }
}
