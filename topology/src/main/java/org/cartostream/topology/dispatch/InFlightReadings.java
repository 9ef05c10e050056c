package org.cartostream.topology.dispatch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cartostream.topology.memory.MemoryQuota;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * The readings of one run that are being processed.
 *
 * <p>Owns them, in the order of admission, when one was served last, and since when the first is
 * waited for.
 */
final class InFlightReadings {

  private final DispatcherOutputs outputs;
  private final MemoryQuota memoryQuota;
  private final Deque<InFlightReading> readings = new ArrayDeque<>();
  private long servedAtNanoTime = Long.MIN_VALUE;

  private long latestServed;

  /** By the dispatcher's clock. */
  private long firstSinceAwake;

  InFlightReadings(DispatcherOutputs outputs, MemoryQuota memoryQuota) {
    this.outputs = outputs;
    this.memoryQuota = memoryQuota;
  }

  boolean isEmpty() {
    return readings.isEmpty();
  }

  /** True if the reading of this number is one of them. */
  boolean has(long sequence) {
    return readings.stream().anyMatch(reading -> reading.sequence() == sequence);
  }

  int size() {
    return readings.size();
  }

  /**
   * One is added.
   *
   * @param now by the dispatcher's {@link PauseTolerantClock}, as wherever nothing else is noted
   */
  void add(InFlightReading reading, long now) {
    if (readings.isEmpty()) {
      firstSinceAwake = now;
    }
    readings.add(reading);
  }

  /** Removes the reading that was added last: it is not processed after all. */
  void dropLast() {
    readings.removeLast();
  }

  /** The one that was added last; there is one. */
  InFlightReading last() {
    return readings.getLast();
  }

  /** The one that was admitted first; there is one. */
  InFlightReading first() {
    return readings.getFirst();
  }

  /** A task is done with its part of one. */
  void done(Payload.Done by) {
    readings.stream()
        .filter(reading -> reading.sequence() == by.sequence())
        .forEach(reading -> reading.done(by));
  }

  /** Reports which are served: in the order of admission, whatever is done first. */
  void emitServed(Run run, long now) {
    for (InFlightReading first = readings.peek(); first != null; first = readings.peek()) {
      if (first.becomesServed()) {
        emitServed(run, first, now);
      }
      if (!first.isDone()) {
        return;
      }
      readings.remove();
    }
  }

  private void emitServed(Run run, InFlightReading first, long now) {
    long nanoTime = System.nanoTime();
    long took = nanoTime - Math.max(first.admitted(), servedAtNanoTime);
    outputs.served.emit(
        new Payload.Served(run, first.sequence(), first.admitted(), took, first.timings()));
    memoryQuota.served(first.sequence(), first.mapBytes());
    servedAtNanoTime = nanoTime;
    latestServed = first.sequence();
    firstSinceAwake = now;
  }

  /** The number of the latest that was served; 0 if none was. */
  long latestServed() {
    return latestServed;
  }

  /** Since when the first is waited for: it was admitted, or the one before was served. */
  long firstSince() {
    return firstSinceAwake;
  }
}
