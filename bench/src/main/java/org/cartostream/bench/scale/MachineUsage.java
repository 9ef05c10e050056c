package org.cartostream.bench.scale;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Meter of this machine's processors: what some processes used of them since a moment, and what all
 * others did.
 *
 * <p>Owns the processes' computing times at that moment.
 */
final class MachineUsage {

  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  /** Share of the processors that others use from which the machine counts as busy. */
  private static final double BUSY = 0.1;

  /**
   * Use of the processors within some time.
   *
   * @param seconds the time
   * @param ownSeconds computing time of the given processes
   * @param machine share of all processors that was used, 0 to 1
   */
  record Usage(double seconds, double ownSeconds, double machine) {

    /** Returns the share of all processors that other processes used, 0 to 1. */
    double others() {
      return Math.max(0, machine - ownSeconds / seconds / SYSTEM.getAvailableProcessors());
    }

    /** Returns true if other processes disturb times. */
    boolean isBusy() {
      return others() > BUSY;
    }
  }

  private final Map<ProcessHandle, Duration> before = new HashMap<>();
  private final long start = System.nanoTime();

  /** Begins to measure. */
  MachineUsage(List<ProcessHandle> processes) {
    processes.forEach(process -> before.put(process, cpu(process)));
    SYSTEM.getCpuLoad(); // The next call is about the time since this one.
  }

  private static Duration cpu(ProcessHandle process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /** Returns the use since the beginning. */
  Usage until() {
    double seconds = (System.nanoTime() - start) / 1e9;
    double machine = SYSTEM.getCpuLoad();
    double own =
        before.entrySet().stream()
            .mapToDouble(each -> cpu(each.getKey()).minus(each.getValue()).toNanos() / 1e9)
            .filter(computed -> computed > 0) // Not of one that has ended meanwhile.
            .sum();
    return new Usage(seconds, own, machine);
  }
}
