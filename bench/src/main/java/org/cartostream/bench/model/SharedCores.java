package org.cartostream.bench.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Simulated cores that share their time fairly among jobs: with as many cores as jobs or more, each
 * job has one.
 *
 * <p>Owns the running jobs, and how much of each is left.
 */
final class SharedCores {

  private static final double DONE_NANOS = 1e-6;

  private static final class Job {
    private final Runnable then;
    private double left;

    Job(double nanos, Runnable then) {
      this.left = nanos;
      this.then = then;
    }
  }

  private final EventQueue time;
  private final int count;
  private final double together;
  private final List<Job> jobs = new ArrayList<>();
  private double lookedAt;
  private long looks;

  /**
   * @param count number of cores
   * @param together speed of each core while all compute, over that of a core that computes alone:
   *     below 1 where cores share caches, memory or heat
   */
  SharedCores(EventQueue time, int count, double together) {
    this.time = time;
    this.count = count;
    this.together = together;
  }

  /** Computes for {@code nanos} of a core that computes alone, then runs {@code then}. */
  void compute(double nanos, Runnable then) {
    advance();
    jobs.add(new Job(nanos, then));
    plan();
  }

  /** Runs {@code then} after a time for which no core is needed, nanoseconds. */
  void pause(double nanos, Runnable then) {
    time.in(nanos, then);
  }

  /** Returns the speed of each job, over that of a job that computes alone. */
  private double rate() {
    int busy = Math.min(jobs.size(), count);
    double speed = count == 1 ? 1 : 1 - (1 - together) * (busy - 1) / (count - 1);
    return speed * busy / jobs.size();
  }

  private void advance() {
    double passed = time.now() - lookedAt;
    lookedAt = time.now();
    if (!jobs.isEmpty()) {
      double done = passed * rate();
      jobs.forEach(job -> job.left -= done);
    }
  }

  /** Plans the end of the next job, which counts unless jobs come or go before. */
  private void plan() {
    long look = ++looks;
    if (jobs.isEmpty()) {
      return;
    }
    double min = jobs.stream().mapToDouble(job -> job.left).min().orElse(0);
    time.in(
        min / rate(),
        () -> {
          if (look == looks) {
            finish();
          }
        });
  }

  private void finish() {
    advance();
    double min = jobs.stream().mapToDouble(job -> job.left).min().orElse(0);
    List<Job> done = jobs.stream().filter(job -> job.left <= Math.max(min, DONE_NANOS)).toList();
    jobs.removeAll(done);
    plan();
    done.forEach(job -> job.then.run());
  }
}
