package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Meters of one run's checkpoints, shown by {@link MetricsEndpoint} from {@link #show} on; they
 * disappear with the run.
 *
 * <p>Owns the meters, and the figures of the latest checkpoint.
 */
public final class CheckpointMeters implements AutoCloseable {

  static final String AGE = "cartostream.checkpoint.age";
  static final String BYTES = "cartostream.checkpoint.bytes";
  static final String TOOK = "cartostream.checkpoint.took";
  static final String FAILURES = "cartostream.checkpoint.failures";

  private final Tags tags;

  /** Registered meters; empty while they are not shown. */
  private List<Meter> meters = List.of();

  private volatile long failures;
  private volatile long durableAt = System.nanoTime();
  private volatile long bytes;
  private volatile long tookNanos;

  /**
   * @param robot the robot's id
   */
  public CheckpointMeters(String robot) {
    tags = Tags.of("robot", robot);
  }

  /** Registers the meters. Those of the robot's previous run must be closed before. */
  public void show() {
    meters =
        List.of(
            FunctionCounter.builder(FAILURES, this, all -> all.failures)
                .tags(tags)
                .description("Checkpoints that could not be stored")
                .register(Metrics.globalRegistry),
            gauge(AGE, "seconds", "Time since all was stored", CheckpointMeters::ageSeconds),
            gauge(BYTES, null, "Size of the latest checkpoint", all -> all.bytes),
            gauge(TOOK, "seconds", "Time to store a checkpoint", all -> all.tookNanos / 1e9));
  }

  private Meter gauge(
      String name, String unit, String description, ToDoubleFunction<CheckpointMeters> value) {
    return Gauge.builder(name, this, value)
        .tags(tags)
        .baseUnit(unit)
        .description(description)
        .register(Metrics.globalRegistry);
  }

  /**
   * Records that a checkpoint was stored.
   *
   * @param size size of its parts, bytes
   * @param nanos time from its beginning until it was valid, nanoseconds
   */
  public void stored(long size, long nanos) {
    durableAt = System.nanoTime();
    bytes = size;
    tookNanos = nanos;
  }

  /** Records that all readings are in a checkpoint already. */
  public void upToDate() {
    durableAt = System.nanoTime();
  }

  /** Returns the time since all readings were in a checkpoint, seconds. */
  public double ageSeconds() {
    return (System.nanoTime() - durableAt) / 1e9;
  }

  /** Records that a checkpoint could not be stored. */
  public void failed() {
    failures++;
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
    meters = List.of(); // Meters of a later run have the same names.
  }
}
