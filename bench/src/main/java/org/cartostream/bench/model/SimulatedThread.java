package org.cartostream.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Simulated thread: it does its jobs one after the other.
 *
 * <p>Owns what waits for it.
 */
final class SimulatedThread {

  private record Job(double nanos, Runnable then) {}

  private final SharedCores sharedCores;
  private final Deque<Job> waiting = new ArrayDeque<>();
  private boolean busy;

  SimulatedThread(SharedCores sharedCores) {
    this.sharedCores = sharedCores;
  }

  /** Computes for {@code nanos} as soon as all that was given before is done. */
  void compute(double nanos, Runnable then) {
    waiting.add(new Job(nanos, then));
    next();
  }

  private void next() {
    if (busy || waiting.isEmpty()) {
      return;
    }
    busy = true;
    Job job = waiting.remove();
    sharedCores.compute(
        job.nanos,
        () -> {
          busy = false;
          job.then.run();
          next();
        });
  }
}
