package org.cartostream.run.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * Resources that this JVM has used; in a report, per reading and from the first reading's answer to
 * the last.
 *
 * @param cpuMillis of all its threads on all cores: filter, gateway, broker and Storm where they
 *     run here, compiler, collector
 * @param collectMillis in which it stood still for a garbage collection
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
