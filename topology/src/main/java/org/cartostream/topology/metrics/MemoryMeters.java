package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import java.util.List;

/**
 * The meter of what one run's maps take in memory, shown by {@link MetricsEndpoint} from {@link
 * #show} on; it disappears with the run.
 *
 * <p>Owns its meter and its figure.
 */
public final class MemoryMeters implements AutoCloseable {

  static final String MAPS = "cartostream.maps";

  private final String robot;

  /** None while it is not shown. */
  private List<Meter> meters = List.of();

  private volatile long bytes;

  /**
   * @param robot its id
   */
  public MemoryMeters(String robot) {
    this.robot = robot;
  }

  /** Shows the figure from now on. That of the robot's run before must not be shown any more. */
  public void show() {
    meters =
        List.of(
            Gauge.builder(MAPS, this, all -> all.bytes)
                .tags("robot", robot)
                .baseUnit("bytes")
                .description(
                    "What the robot's maps, and scans that no disk takes, take in all processes, about")
                .register(Metrics.globalRegistry));
  }

  /** Takes the counted, or estimated, memory. */
  public void takes(long now) {
    bytes = now;
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
    meters = List.of(); // A later run's has the same name.
  }
}
