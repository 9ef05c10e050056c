package org.cartostream.collectives.engine;

import java.util.concurrent.atomic.LongAdder;
import org.cartostream.collectives.operation.DropCounts;

/** Counter of the frames and rounds that a member drops, for {@link DropCounts}. */
final class DropCounter {

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

  DropCounts counts() {
    return new DropCounts(fenced.sum(), late.sum(), expired.sum(), crowded.sum());
  }
}
