package org.cartostream.topology.metrics;

import com.codahale.metrics.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.TaskMetricDimensions;

/**
 * Gauges of the number of tuples that wait in the queue of each task of this worker, as Storm
 * counts them.
 *
 * <p>Owns the gauges.
 */
final class QueueMeters {

  static final String QUEUE = "cartostream.queue";

  /** Name of the metric in {@link org.apache.storm.utils.JCQueueMetrics}. */
  private static final String POPULATION = "receive-queue-population";

  private final StormMetricRegistry storm;
  private final MultiGauge queues;

  QueueMeters(StormMetricRegistry storm, MeterRegistry registry) {
    this.storm = storm;
    this.queues =
        MultiGauge.builder(QUEUE)
            .baseUnit("tuples")
            .description("Tuples that wait in front of a task")
            .register(registry);
  }

  /**
   * Registers gauges for the tasks that exist now; tasks start one after the other when a worker
   * starts.
   *
   * @return false if there is no task yet
   */
  boolean refresh() {
    Map<Integer, String> components = new TreeMap<>();
    for (TaskMetricDimensions metrics : storm.getTaskMetrics().keySet()) {
      Map<String, String> names = metrics.getDimensions();
      components.put(
          Integer.parseInt(names.get("taskid")), names.getOrDefault("componentId", "__"));
    }
    List<Row<?>> rows = new ArrayList<>();
    components.forEach((task, component) -> row(task, component).ifPresent(rows::add));
    queues.register(rows, true);
    return !rows.isEmpty();
  }

  /** Returns the gauge of a task's queue; empty for Storm's own components. */
  private Optional<Row<?>> row(int task, String component) {
    Gauge<?> length = storm.getTaskGauges(task).get(POPULATION);
    if (length == null || component.startsWith("__")) {
      return Optional.empty();
    }
    Tags tags = Tags.of("component", component, "task", Integer.toString(task));
    return Optional.of(Row.of(tags, () -> (Number) length.getValue()));
  }
}
