package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;

/**
 * The meter of what one run's maps take in memory, shown by {@link MetricsEndpoint}; it disappears
 * with the run.
 *
 * <p>Owns its meter and its figure.
 */
public final class MemoryMeters implements AutoCloseable {

  static final String MAPS = "cartostream.maps";

  private final Meter meter;
  private volatile long bytes;

  /**
   * @param robot its id
   */
  public MemoryMeters(String robot) {
    meter =
        Gauge.builder(MAPS, this, all -> all.bytes)
            .tags("robot", robot)
            .baseUnit("bytes")
            .description("What the robot's maps take in all processes, about")
            .register(Metrics.globalRegistry);
  }

  /** So much was counted, or estimated. */
  public void takes(long now) {
    bytes = now;
  }

  @Override
  public void close() {
    Metrics.globalRegistry.remove(meter);
  }
}
