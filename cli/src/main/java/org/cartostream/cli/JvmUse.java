package org.cartostream.cli;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/**
 * What this JVM has used; in a report, per reading and from the first reading's answer to the last.
 *
 * @param cpuMillis of all its threads on all cores: filter, gateway, broker and Storm where they
 *     run here, compiler, collector
 * @param collectMillis in which it stood still for a garbage collection
 */
record JvmUse(double cpuMillis, double collectMillis) {

  static final JvmUse NONE = new JvmUse(0, 0);

  private static final double NANOS_PER_MILLI = 1e6;

  /** Since the JVM's start. */
  static JvmUse soFar() {
    long cpuNanos =
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime();
    long collected =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .sum();
    return new JvmUse(cpuNanos / NANOS_PER_MILLI, collected);
  }

  /** What was used since {@code before}, per reading. */
  JvmUse since(JvmUse before, long readings) {
    return readings == 0
        ? NONE
        : new JvmUse(
            (cpuMillis - before.cpuMillis) / readings,
            (collectMillis - before.collectMillis) / readings);
  }
}
