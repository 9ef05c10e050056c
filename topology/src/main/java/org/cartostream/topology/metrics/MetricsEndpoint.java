package org.cartostream.topology.metrics;

import com.codahale.metrics.MetricRegistry;
import java.util.List;
import java.util.Map;
import org.apache.storm.metrics2.MetricRegistryProvider;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.cartostream.topology.settings.TopologySettings;

/**
 * Storm reporter that runs the {@link StatusServer} of a worker. If the topology's configuration
 * names this class, Storm makes one in each worker and stops it with the worker.
 *
 * <p>Tasks write their figures into Micrometer's global registry ({@link RobotMeters}); Storm's own
 * registry has the lengths of their queues ({@link QueueMeters}). Owns the server.
 */
public final class MetricsEndpoint implements StormReporter {

  private static final String HOST = "cartostream.metrics.host";
  private static final String PORT = "cartostream.metrics.port";

  private final Readiness tasks = new Readiness("tasks");
  private QueueMeters queues;
  private StatusServer server;

  /**
   * Returns the list of reporters for Storm's configuration; empty if the settings want no server.
   */
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
