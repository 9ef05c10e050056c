package org.cartostream.bench.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Simulated thread, which does its jobs one after the other.
 *
 * <p>Owns the queue of its jobs.
 */
final class SimulatedThread {

  private record Job(double nanos, double waitNanos, Runnable then) {}

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
    computeAndWait(nanos, 0, then);
  }

  /**
   * Adds a job that computes, and then takes time for which it needs no core.
   *
   * @param waitNanos time without a core, nanoseconds
   */
  void computeAndWait(double nanos, double waitNanos, Runnable then) {
    waiting.add(new Job(nanos, waitNanos, then));
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
          if (job.waitNanos == 0) {
            end(job);
          } else {
            sharedCores.pause(job.waitNanos, () -> end(job));
          }
        });
  }

  private void end(Job job) {
    busy = false;
    job.then.run();
    next();
  }
}
