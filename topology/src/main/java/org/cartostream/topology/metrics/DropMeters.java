package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.operation.DropCounts;

/**
 * Meters of the messages that one task's collectives have dropped, shown by {@link
 * MetricsEndpoint}. Most of these are messages of a task that has fallen behind, or was restarted.
 *
 * <p>Owns the meters, and removes them when closed.
 */
public final class DropMeters implements AutoCloseable {

  static final String DROPPED = "cartostream.collectives.dropped";

  /** Source of the counts; kept here because meters hold only a weak reference. */
  private final Communicator communicator;

  private final String task;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * @param task number of the task
   * @param communicator the task's communicator, which counts
   */
  public DropMeters(int task, Communicator communicator) {
    this.task = Integer.toString(task);
    this.communicator = communicator;
    show("fenced", DropCounts::fenced);
    show("late", DropCounts::late);
    show("expired", DropCounts::expired);
    show("crowded", DropCounts::crowded);
  }

  private void show(String reason, ToLongFunction<DropCounts> count) {
    meters.add(
        FunctionCounter.builder(DROPPED, communicator, each -> count.applyAsLong(each.counts()))
            .tags("task", task, "reason", reason)
            .description("Dropped messages and rounds of collective calls between tasks")
            .register(Metrics.globalRegistry));
  }

  @Override
  public void close() {
    meters.forEach(Metrics.globalRegistry::remove);
  }
}
