package org.cartostream.topology.collectives;

import java.util.concurrent.atomic.LongAdder;

/** Counts what a member drops. */
final class Counter {

  private final LongAdder fenced = new LongAdder();
  private final LongAdder late = new LongAdder();
  private final LongAdder expired = new LongAdder();
  private final LongAdder crowded = new LongAdder();

  void fenced() {
    fenced.increment();
  }

  void late() {
    late.increment();
  }

  void expired() {
    expired.increment();
  }

  void crowded() {
    crowded.increment();
  }

  Counts counts() {
    return new Counts(fenced.sum(), late.sum(), expired.sum(), crowded.sum());
  }
}
