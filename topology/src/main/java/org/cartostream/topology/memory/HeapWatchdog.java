package org.cartostream.topology.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Watchdog of this process's heap. Memory is about to run out if garbage collections took more than
 * {@code topology.maxGcPercent} of the last {@value #WINDOW_SECONDS} s and left more than {@code
 * topology.maxHeapPercent} of the heap in use. Soon after that, the process would end with an
 * OutOfMemoryError.
 *
 * <p>Owns the samples of these seconds. A report clears them, so that the next report comes no
 * sooner than {@value #WINDOW_SECONDS} s later, when countermeasures may have had an effect.
 * Thread-safe: all tasks of the process share it.
 */
public final class HeapWatchdog {

  static final int WINDOW_SECONDS = 10;

  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(WINDOW_SECONDS);
  private static final double PERCENT = 100;

  private static final HeapWatchdog OF_PROCESS =
      new HeapWatchdog(System::nanoTime, HeapWatchdog::now);

  /**
   * Use of the heap as the JVM reports it.
   *
   * @param collectedNanos time that all garbage collections took since the process began,
   *     nanoseconds
   * @param usedShare share of the heap in use after the latest collection of each of its pools, 0
   *     to 1
   */
  record HeapUse(long collectedNanos, double usedShare) {}

  private record Sample(long at, long collectedNanos) {}

  private final LongSupplier nanoTime;
  private final Supplier<HeapUse> java;
  private final Deque<Sample> samples = new ArrayDeque<>();

  HeapWatchdog(LongSupplier nanoTime, Supplier<HeapUse> java) {
    this.nanoTime = nanoTime;
    this.java = java;
  }

  /** Returns the watchdog of this process. */
  public static HeapWatchdog ofProcess() {
    return OF_PROCESS;
  }

  private static HeapUse now() {
    long millis = 0;
    for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
      millis += Math.max(0, each.getCollectionTime());
    }
    long used = 0;
    for (MemoryPoolMXBean each : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage after = each.getType() == MemoryType.HEAP ? each.getCollectionUsage() : null;
      used += after == null ? 0 : after.getUsed();
    }
    return new HeapUse(
        TimeUnit.MILLISECONDS.toNanos(millis), (double) used / Runtime.getRuntime().maxMemory());
  }

  /**
   * Takes a sample, and checks whether memory runs out; to be called about once a second.
   *
   * @return a sentence for people if memory runs out; else empty
   */
  public synchronized Optional<String> look(TopologySettings settings) {
    long now = nanoTime.getAsLong();
    HeapUse use = java.get();
    samples.add(new Sample(now, use.collectedNanos()));
    while (samples.size() > 1 && now - samples.getFirst().at() > WINDOW_NANOS) {
      if (isShort(use, now, settings)) {
        return Optional.of(sentence(use, now));
      }
      samples.remove();
    }
    return Optional.empty();
  }

  private double gcPercent(HeapUse use, long now) {
    Sample first = samples.getFirst();
    return PERCENT * (use.collectedNanos() - first.collectedNanos()) / (now - first.at());
  }

  private boolean isShort(HeapUse use, long now, TopologySettings settings) {
    return PERCENT * use.usedShare() > settings.maxHeapPercent()
        && gcPercent(use, now) > settings.maxGcPercent();
  }

  private String sentence(HeapUse use, long now) {
    String sentence =
        "collections took %.0f %% of %d s in one of its processes, and left %.0f %% of %d MB in use"
            .formatted(
                gcPercent(use, now),
                WINDOW_SECONDS,
                PERCENT * use.usedShare(),
                Runtime.getRuntime().maxMemory() >> 20);
    samples.clear();
    return sentence;
  }
}
