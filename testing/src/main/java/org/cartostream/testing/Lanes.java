package org.cartostream.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Distributes jobs over lanes side by side, the longest first, and collects their results. Two jobs
 * that share a resource lock never run at once.
 */
final class Lanes {

  private final Path root;
  private final ClassPaths classPaths;
  private final boolean failFast;
  private final BiConsumer<TestJob, ClassResult> report;

  private final List<Lane> lanes = new ArrayList<>();
  private final List<TestJob> waiting = new ArrayList<>();
  private final Set<String> held = new HashSet<>();
  private final Map<TestJob, ClassResult> results = new LinkedHashMap<>();
  private boolean stopped;

  /**
   * @param failFast whether nothing more begins after the first failure
   * @param report told of each result, by one thread at a time
   */
  Lanes(
      Path root, ClassPaths classPaths, boolean failFast, BiConsumer<TestJob, ClassResult> report) {
    this.root = root;
    this.classPaths = classPaths;
    this.failFast = failFast;
    this.report = report;
  }

  /**
   * Runs jobs and returns when all have ended.
   *
   * @param waitingLanes lanes for those that mostly wait
   * @param computingLanes lanes for those that compute for minutes
   */
  Map<TestJob, ClassResult> run(List<TestJob> jobs, int waitingLanes, int computingLanes)
      throws InterruptedException {
    synchronized (this) {
      results.clear();
      waiting.addAll(jobs);
      waiting.sort(
          Comparator.comparingDouble(TestJob::seconds)
              .reversed()
              .thenComparing(TestJob::className));
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < waitingLanes + computingLanes; i++) {
      boolean computes = i >= waitingLanes;
      int preferred = i % classPaths.count();
      Lane lane = new Lane("lane-" + (i + 1), root, classPaths);
      synchronized (this) {
        lanes.add(lane);
      }
      threads.add(new Thread(() -> work(lane, computes, preferred), "lane-" + (i + 1)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    return Map.copyOf(results);
  }

  private void work(Lane lane, boolean computes, int preferred) {
    try (lane) {
      int classPath = preferred;
      for (Optional<TestJob> next = take(computes, classPath);
          next.isPresent();
          next = take(computes, classPath)) {
        TestJob job = next.get();
        classPath = job.classPath();
        finished(job, lane.run(job));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The longest job that may begin, on the class path at hand if there is one; waits for locks. */
  private synchronized Optional<TestJob> take(boolean computes, int classPath)
      throws InterruptedException {
    while (true) {
      List<TestJob> kind = waiting.stream().filter(each -> each.computes() == computes).toList();
      if (kind.isEmpty()) {
        return Optional.empty();
      }
      List<TestJob> free =
          kind.stream().filter(each -> each.locks().stream().noneMatch(held::contains)).toList();
      Optional<TestJob> next =
          free.stream()
              .filter(each -> each.classPath() == classPath)
              .findFirst()
              .or(() -> free.stream().findFirst());
      if (next.isPresent()) {
        waiting.remove(next.get());
        held.addAll(next.get().locks());
        return next;
      }
      wait();
    }
  }

  private synchronized void finished(TestJob job, ClassResult result) {
    held.removeAll(job.locks());
    results.put(job, result);
    if (failFast && result.failed()) {
      stopped = true;
      waiting.clear();
    }
    report.accept(job, result);
    notifyAll();
  }

  /** Whether nothing more is to begin. */
  synchronized boolean stopped() {
    return stopped;
  }

  /** Ends all that runs, for the run was interrupted. */
  synchronized void stop() {
    stopped = true;
    waiting.clear();
    lanes.forEach(Lane::close);
  }
}
