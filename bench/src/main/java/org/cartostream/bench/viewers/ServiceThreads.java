package org.cartostream.bench.viewers;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The CPU time of a service's threads in this process since some moment: those of its tasks
 * (dispatcher, matchers, resampler, publisher), by Storm's names, and those that work for them.
 * Owns what each had used at that moment.
 */
final class ServiceThreads {

  /** Storm's executors are named for their component; the others by their users in topology. */
  private static final List<String> NAMES =
      List.of("-Dispatcher-", "-Matchers-", "-Resampler-", "-Publisher-", "publisher-", "offload-");

  private final Map<Long, Long> before = cpuNanos();

  static boolean isOne(String name) {
    return NAMES.stream().anyMatch(name::contains);
  }

  /** Nanoseconds that they have used since this was made; of those that still live. */
  long usedNanos() {
    return cpuNanos().entrySet().stream()
        .mapToLong(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L))
        .sum();
  }

  /** Returns the CPU time of the threads, by their numbers. */
  private static Map<Long, Long> cpuNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> nanos = new HashMap<>();
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && isOne(each.getThreadName())) {
        nanos.put(each.getThreadId(), threads.getThreadCpuTime(each.getThreadId()));
      }
    }
    return nanos;
  }
}
