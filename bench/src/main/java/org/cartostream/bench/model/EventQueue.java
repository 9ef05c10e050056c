package org.cartostream.bench.model;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Event queue of a discrete-event simulation, with its virtual time; events that are due at the
 * same moment run in the order in which they were planned.
 *
 * <p>Owns the time, and the events to come.
 */
final class EventQueue {

  private record Event(double time, long number, Runnable what) {}

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingDouble(Event::time).thenComparingLong(Event::number));

  private double now;
  private long planned;

  /** Returns the virtual time since the beginning, nanoseconds. */
  double now() {
    return now;
  }

  /** Plans an event for {@code nanos} from now. */
  void in(double nanos, Runnable what) {
    events.add(new Event(now + Math.max(0, nanos), planned++, what));
  }

  /** Runs the planned events, and those that they plan, until none is left. */
  void run() {
    for (Event next; (next = events.poll()) != null; ) {
      now = next.time;
      next.what.run();
    }
  }
}
