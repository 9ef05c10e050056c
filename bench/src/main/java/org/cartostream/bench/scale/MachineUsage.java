package org.cartostream.bench.scale;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.cartostream.run.exit.ExitException;

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

  /** Least share that a process gets of a machine, however busy. */
  private static final double LEAST_LEFT = 0.1;

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

    /**
     * Returns a sentence on other processes if they disturb times.
     *
     * @param strict true to refuse that
     * @throws ExitException if it is refused
     */
    Optional<String> requireIdle(boolean strict) {
      if (!isBusy()) {
        return Optional.empty();
      }
      String sentence =
          String.format(
              Locale.ROOT,
              "the machine is busy: other processes use %.0f %% of its processors, 10 %% at most is idle",
              100 * others());
      if (strict) {
        throw ExitException.failed(sentence + "; without --strict it is measured all the same");
      }
      return Optional.of(sentence + "; times by the clock are disturbed, those by CPU are not");
    }

    /**
     * Returns the share of the processors that is left by others, and by what the processes compute
     * when they are idle, 0 to 1.
     */
    double left(double idleCores) {
      double idle = idleCores / SYSTEM.getAvailableProcessors();
      return Math.max(LEAST_LEFT, 1 - others() - idle);
    }

    /** Returns true if other processes disturb times. */
    boolean isBusy() {
      return others() > BUSY;
    }
  }

  private final Map<ProcessHandle, Duration> before = new HashMap<>();
  private final long start = System.nanoTime();

  /** Begins to measure this process and those that it has started. */
  static MachineUsage ofThisProcess() {
    List<ProcessHandle> own = new ArrayList<>(List.of(ProcessHandle.current()));
    ProcessHandle.current().descendants().forEach(own::add);
    return new MachineUsage(own);
  }

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
