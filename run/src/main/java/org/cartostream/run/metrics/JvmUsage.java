package org.cartostream.run.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * CPU time and garbage-collection time of this JVM. In a report, the mean per reading, measured
 * from the first reading's answer to the last reading's.
 *
 * @param cpuMillis CPU time of all threads, milliseconds: filter, JIT compiler, garbage collector,
 *     and gateway, broker and Storm if they run in this JVM
 * @param collectMillis time of garbage collections, milliseconds
 */
public record JvmUsage(double cpuMillis, double collectMillis) {

  static final JvmUsage NONE = new JvmUsage(0, 0);

  private static final double NANOS_PER_MILLI = 1e6;

  /** Returns the usage since the JVM's start. */
  static JvmUsage soFar() {
    long cpuNanos =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime();
    long collected =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new JvmUsage(cpuNanos / NANOS_PER_MILLI, collected);
  }

  /** Returns the usage since {@code before}, per reading. */
  JvmUsage since(JvmUsage before, long readings) {
    return readings == 0
        ? NONE
        : new JvmUsage(
            (cpuMillis - before.cpuMillis) / readings,
            (collectMillis - before.collectMillis) / readings);
  }
}
