package org.cartostream.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Scheduler of test jobs: runs them in lanes side by side, the longest first, and collects their
 * results.
 */
final class TestLanes {

  private final Path root;
  private final ClassPaths classPaths;
  private final boolean failFast;
  private final BiConsumer<TestJob, ClassResult> report;

  private final List<TestLane> lanes = new ArrayList<>();
  private final List<TestJob> waiting = new ArrayList<>();
  private final Map<TestJob, ClassResult> results = new LinkedHashMap<>();
  private boolean stopped;

  /**
   * @param failFast whether no further job starts after the first failure
   * @param report called with each result, by one thread at a time
   */
  TestLanes(
      Path root, ClassPaths classPaths, boolean failFast, BiConsumer<TestJob, ClassResult> report) {
    this.root = root;
    this.classPaths = classPaths;
    this.failFast = failFast;
    this.report = report;
  }

  /**
   * Runs jobs and returns when all have ended.
   *
   * @param kinds for each lane, which jobs it takes
   * @return the results in the order in which the jobs ended; jobs that a stop kept from running
   *     have none
   */
  Map<TestJob, ClassResult> run(List<TestJob> jobs, List<Predicate<TestJob>> kinds)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    synchronized (this) {
      results.clear();
      waiting.clear();
      if (!stopped) {
        waiting.addAll(Slices.longestFirst(jobs));
      }
      for (int i = 0; i < kinds.size(); i++) {
        String name = "lane-" + (i + 1);
        int preferred = i % classPaths.count();
        Predicate<TestJob> kind = kinds.get(i);
        TestLane lane = new TestLane(name, root, classPaths);
        lanes.add(lane);
        threads.add(new Thread(() -> work(lane, kind, preferred), name));
      }
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return new LinkedHashMap<>(results);
  }

  private void work(TestLane lane, Predicate<TestJob> kind, int preferred) {
    try (lane) {
      int classPath = preferred;
      for (Optional<TestJob> next = take(kind, classPath);
          next.isPresent();
          next = take(kind, classPath)) {
        TestJob job = next.get();
        classPath = job.classPath();
        ClassResult result;
        try {
          result = lane.run(job);
        } catch (RuntimeException | Error e) {
          result = ClassResult.crashed("the lane failed: " + e, 0);
        }
        finished(job, result);
      }
    }
  }

  /**
   * Takes the longest job that is left for a lane, if possible one on the lane's current class
   * path.
   */
  private synchronized Optional<TestJob> take(Predicate<TestJob> kind, int classPath) {
    Optional<TestJob> next =
        waiting.stream()
            .filter(kind)
            .filter(each -> each.classPath() == classPath)
            .findFirst()
            .or(() -> waiting.stream().filter(kind).findFirst());
    next.ifPresent(waiting::remove);
    return next;
  }

  private synchronized void finished(TestJob job, ClassResult result) {
    if (!stopped) {
      results.put(job, result);
      report.accept(job, result);
    }
    if (failFast && result.failed()) {
      stopped = true;
      waiting.clear();
    }
  }

  /** Returns true if no further job may start. */
  synchronized boolean stopped() {
    return stopped;
  }

  /** Ends the running jobs, because the run was interrupted. */
  void stop() {
    List<TestLane> all;
    synchronized (this) {
      stopped = true;
      waiting.clear();
      all = List.copyOf(lanes);
    }
    all.forEach(TestLane::stop);
  }
}
