package org.cartostream.topology.metrics;

import com.codahale.metrics.MetricRegistry;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.storm.metrics2.MetricRegistryProvider;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.cartostream.topology.settings.TopologySettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows a worker's figures to Prometheus: {@code http://HOST:PORT/metrics}, in its text format.
 *
 * <p>Storm makes one in each worker of a topology that is configured so, and stops it with the
 * worker. The tasks write into Micrometer's global registry ({@link RobotMeters}), Storm's own
 * registry has the lengths of their queues ({@link QueueMeters}). Owns the server and the registry
 * that it shows.
 */
public final class MetricsEndpoint implements StormReporter {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsEndpoint.class);

  private static final String HOST = "cartostream.metrics.host";
  private static final String PORT = "cartostream.metrics.port";

  /** Number of ports to try: as many workers of one host find one each. */
  private static final int PORTS = 100;

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private QueueMeters queues;
  private JvmGcMetrics collections;
  private HttpServer server;

  /** Its part of Storm's configuration: a list of reporters, empty if it is off. */
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
    queues = new QueueMeters((StormMetricRegistry) storm, registry);
    prepare(storm.getRegistry(), topology, reporter);
  }

  @Override
  public void prepare(
      MetricRegistry storm, Map<String, Object> topology, Map<String, Object> reporter) {
    new JvmMemoryMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections = new JvmGcMetrics();
    collections.bindTo(registry);
    try {
      server = open((String) reporter.get(HOST), ((Number) reporter.get(PORT)).intValue());
    } catch (IOException e) {
      throw new UncheckedIOException(
          "topology.metricsHost, topology.metricsPort: nobody can listen at "
              + reporter.get(HOST)
              + ":"
              + reporter.get(PORT),
          e);
    }
    server.createContext("/metrics", this::answer);
  }

  /** The first free port from the wanted one on: other workers of this host may have it. */
  private static HttpServer open(String host, int wanted) throws IOException {
    int tries = wanted == 0 ? 1 : PORTS;
    for (int port = wanted; ; port++) {
      try {
        return HttpServer.create(new InetSocketAddress(host, port), 0);
      } catch (BindException taken) {
        if (--tries == 0) {
          throw taken;
        }
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    queues.refresh();
    byte[] page = registry.scrape().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", TEXT);
    exchange.sendResponseHeaders(200, page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  @Override
  public void start() {
    Metrics.addRegistry(registry);
    server.start();
    InetSocketAddress address = server.getAddress();
    LOG.info("metrics: http://{}:{}/metrics", address.getHostString(), address.getPort());
  }

  @Override
  public void stop() {
    Metrics.removeRegistry(registry);
    server.stop(0);
    collections.close();
    registry.close();
  }

  @Override
  public void close() {
    stop();
  }
}
