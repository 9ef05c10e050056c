package org.cartostream.topology.metrics;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import org.apache.storm.metrics2.MetricRegistryProvider;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.cartostream.topology.settings.TopologySettings;

/**
 * The {@link StatusServer} of a worker: Storm makes one in each worker of a topology that is
 * configured so, and stops it with the worker.
 *
 * <p>The tasks write into Micrometer's global registry ({@link RobotMeters}), Storm's own registry
 * has the lengths of their queues ({@link QueueMeters}). Owns the server.
 */
public final class MetricsEndpoint implements StormReporter {

  private static final String HOST = "cartostream.metrics.host";
  private static final String PORT = "cartostream.metrics.port";

  private final Readiness tasks = new Readiness("tasks");
  private QueueMeters queues;
  private StatusServer server;

  /** Returns its part of Storm's configuration: a list of reporters, empty if it is off. */
  public static List<Map<String, Object>> reporters(TopologySettings settings) {
    return settings.metricsHost().isEmpty()
        ? List.of()
        : List.of(
            Map.of(
                "class",
                MetricsEndpoint.class.getName(),
                HOST,
                settings.metricsHost(),
                PORT,
                settings.metricsPort()));
  }

  @Override
  public void prepare(
      MetricRegistryProvider storm, Map<String, Object> topology, Map<String, Object> reporter) {
    prepare(storm.getRegistry(), topology, reporter);
    queues = new QueueMeters((StormMetricRegistry) storm, server.registry());
  }

  @Override
  public void prepare(
      MetricRegistry storm, Map<String, Object> topology, Map<String, Object> reporter) {
    server =
        StatusServer.open(
            "topology.metrics",
            (String) reporter.get(HOST),
            ((Number) reporter.get(PORT)).intValue(),
            () -> tasks.set(queues.refresh()));
  }

  @Override
  public void start() {
    server.start();
  }

  @Override
  public void stop() {
    tasks.close();
    server.close();
  }

  @Override
  public void close() {
    stop();
  }
}
