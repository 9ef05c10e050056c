package org.cartostream.topology;

import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * The readings of a run that were admitted, as far as a publisher knows.
 *
 * <p>Owns those that are open, by number, which is the order of admission, and the greatest number
 * that was admitted.
 */
final class PendingReadings {

  private final NavigableMap<Long, PendingReading> open = new TreeMap<>();
  private long latestAdmitted;

  /** The greatest number on the path that is open no more. */
  private long latestDone;

  /** All of it, to go on elsewhere. */
  record Snapshot(PendingReading.Snapshot[] open, long latestAdmitted, long latestDone) {}

  Snapshot snapshot() {
    return new Snapshot(
        open.values().stream()
            .map(PendingReading::snapshot)
            .toArray(PendingReading.Snapshot[]::new),
        latestAdmitted,
        latestDone);
  }

  /**
   * Takes over what another has known.
   *
   * @param now by the publisher's {@link PauseTolerantClock}
   */
  void restore(Snapshot snapshot, long now) {
    for (PendingReading.Snapshot each : snapshot.open()) {
      open.put(each.step().sequence(), new PendingReading(each, now));
    }
    latestAdmitted = snapshot.latestAdmitted();
    latestDone = snapshot.latestDone();
  }

  /** True if this reading, or a later one, was admitted. */
  boolean hasAdmitted(long sequence) {
    return sequence <= latestAdmitted;
  }

  /** A reading was admitted. */
  void admit(Step step) {
    open.put(step.sequence(), new PendingReading(step));
    latestAdmitted = step.sequence();
  }

  /**
   * The first reading of which nothing is known, of those after the latest that was admitted.
   *
   * @param to the last of them
   * @param answered whether a reading was answered, and so known
   * @return 0 if something is known of all
   */
  long firstUnknown(long to, LongPredicate answered) {
    for (long each = latestAdmitted + 1; each <= to; each++) {
      if (!answered.test(each)) {
        return each;
      }
    }
    return 0;
  }

  /** The greatest number that was admitted; 0 if none was. */
  long latestAdmitted() {
    return latestAdmitted;
  }

  /** True if nothing is open. */
  boolean isEmpty() {
    return open.isEmpty();
  }

  /** All that is open, in its order. */
  List<PendingReading> open() {
    return List.copyOf(open.values());
  }

  /** A reading that is open; null if it is not. */
  PendingReading open(long sequence) {
    return open.get(sequence);
  }

  /**
   * A reading is open no more.
   *
   * @return null if it was not
   */
  PendingReading close(long sequence) {
    PendingReading closed = open.remove(sequence);
    if (closed != null && closed.hasEntered()) {
      latestDone = Math.max(latestDone, sequence);
    }
    return closed;
  }

  /**
   * A new dispatcher goes on: what reached no matcher will be admitted again. A publisher that was
   * restored may learn of it late, and have on the path what was admitted since.
   *
   * @return what it will not serve; the one before has, or would have
   */
  List<PendingReading> resume(Payload.Resumed message) {
    open.values().removeIf(each -> !each.hasEntered() && each.sequence() > message.settled());
    long latest = open.isEmpty() ? latestDone : Math.max(latestDone, open.lastKey());
    latestAdmitted = Math.min(latestAdmitted, Math.max(message.settled(), latest));
    return open.values().stream()
        .filter(reading -> reading.sequence() <= message.settled())
        .filter(reading -> Arrays.stream(message.open()).noneMatch(n -> n == reading.sequence()))
        .toList();
  }
}
