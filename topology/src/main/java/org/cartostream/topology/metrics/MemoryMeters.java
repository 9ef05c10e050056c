package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import java.util.List;

/**
 * The meter of the memory that one run's maps take, shown by {@link MetricsEndpoint} from {@link
 * #show} on; it disappears with the run.
 *
 * <p>Owns the meter and its value.
 */
public final class MemoryMeters implements AutoCloseable {

  static final String MAPS = "cartostream.maps";

  private final String robot;

  /** The registered meter; empty while it is not shown. */
  private List<Meter> meters = List.of();

  private volatile long bytes;

  /**
   * @param robot the robot's id
   */
  public MemoryMeters(String robot) {
    this.robot = robot;
  }

  /** Registers the meter. That of the robot's previous run must be closed before. */
  public void show() {
    meters =
        List.of(
            Gauge.builder(MAPS, this, all -> all.bytes)
                .tags("robot", robot)
                .baseUnit("bytes")
                .description(
                    "Estimated memory of the robot's maps and scans not on disk, in all processes")
                .register(Metrics.globalRegistry));
  }

  /** Sets the counted or estimated memory, bytes. */
  public void takes(long now) {
    bytes = now;
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
    meters = List.of(); // The meter of a later run has the same name.
  }
}
