package org.cartostream.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Simulated thread, which does its jobs one after the other.
 *
 * <p>Owns the queue of its jobs.
 */
final class SimulatedThread {

  private record Job(double nanos, Runnable then) {}

  private final SharedCores sharedCores;
  private final Deque<Job> waiting = new ArrayDeque<>();
  private boolean busy;

  SimulatedThread(SharedCores sharedCores) {
    this.sharedCores = sharedCores;
  }

  /**
   * Adds a job to the queue.
   *
   * @param nanos computing time of the job, nanoseconds
   * @param then is called when the job is done
   */
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
