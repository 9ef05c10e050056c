package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Meters of one run's checkpoints, shown by {@link MetricsEndpoint}; they disappear with the run.
 *
 * <p>Owns its meters, and the figures of the latest checkpoint.
 */
public final class CheckpointMeters implements AutoCloseable {

  static final String AGE = "cartostream.checkpoint.age";
  static final String BYTES = "cartostream.checkpoint.bytes";
  static final String TOOK = "cartostream.checkpoint.took";
  static final String FAILURES = "cartostream.checkpoint.failures";

  private final Counter failures;
  private final List<Meter> meters;
  private volatile long durableAt = System.nanoTime();
  private volatile long bytes;
  private volatile long tookNanos;

  /**
   * @param robot its id
   */
  public CheckpointMeters(String robot) {
    Tags tags = Tags.of("robot", robot);
    failures =
        Counter.builder(FAILURES)
            .tags(tags)
            .description("Checkpoints that could not be stored")
            .register(Metrics.globalRegistry);
    meters =
        List.of(
            failures,
            gauge(AGE, "seconds", tags, CheckpointMeters::ageSeconds),
            gauge(BYTES, null, tags, all -> all.bytes),
            gauge(TOOK, "seconds", tags, all -> all.tookNanos / 1e9));
  }

  private Meter gauge(
      String name, String unit, Tags tags, ToDoubleFunction<CheckpointMeters> value) {
    return Gauge.builder(name, this, value)
        .tags(tags)
        .baseUnit(unit)
        .register(Metrics.globalRegistry);
  }

  /**
   * A checkpoint is stored.
   *
   * @param size of its parts, bytes
   * @param nanos from its beginning until it counted
   */
  public void stored(long size, long nanos) {
    durableAt = System.nanoTime();
    bytes = size;
    tookNanos = nanos;
  }

  /** All that has come is in a checkpoint already: there is nothing to store. */
  public void upToDate() {
    durableAt = System.nanoTime();
  }

  /** Since all that had come was in a checkpoint. */
  public double ageSeconds() {
    return (System.nanoTime() - durableAt) / 1e9;
  }

  /** A checkpoint could not be stored. */
  public void failed() {
    failures.increment();
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
  }
}
