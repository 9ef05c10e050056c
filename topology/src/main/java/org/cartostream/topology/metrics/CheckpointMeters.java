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
 * <p>Owns its meters, and the figures of the latest checkpoint.
 */
public final class CheckpointMeters implements AutoCloseable {

  static final String AGE = "cartostream.checkpoint.age";
  static final String BYTES = "cartostream.checkpoint.bytes";
  static final String TOOK = "cartostream.checkpoint.took";
  static final String FAILURES = "cartostream.checkpoint.failures";

  private final Tags tags;

  /** None while they are not shown. */
  private List<Meter> meters = List.of();

  private volatile long failures;
  private volatile long durableAt = System.nanoTime();
  private volatile long bytes;
  private volatile long tookNanos;

  /**
   * @param robot its id
   */
  public CheckpointMeters(String robot) {
    tags = Tags.of("robot", robot);
  }

  /** Shows the figures from now on. Those of the robot's run before must not be shown any more. */
  public void show() {
    meters =
        List.of(
            FunctionCounter.builder(FAILURES, this, all -> all.failures)
                .tags(tags)
                .description("Checkpoints that could not be stored")
                .register(Metrics.globalRegistry),
            gauge(AGE, "seconds", "Since all was in a checkpoint", CheckpointMeters::ageSeconds),
            gauge(BYTES, null, "Of the latest checkpoint", all -> all.bytes),
            gauge(TOOK, "seconds", "To store the latest checkpoint", all -> all.tookNanos / 1e9));
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

  /** Returns the seconds since all that had come was in a checkpoint. */
  public double ageSeconds() {
    return (System.nanoTime() - durableAt) / 1e9;
  }

  /** A checkpoint could not be stored. */
  public void failed() {
    failures++;
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
    meters = List.of(); // A later run's have the same names.
  }
}
