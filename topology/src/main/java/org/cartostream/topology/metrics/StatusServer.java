package org.cartostream.topology.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.cartostream.broker.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP server for monitoring a process: {@code /metrics} in Prometheus's text format; {@code
 * /health/live}; and {@code /health/ready}, which has status 503 while a part of the process is not
 * ready, see {@link Readiness}. It has neither TLS nor a password.
 *
 * <p>The metrics are those in Micrometer's global registry. Owns the HTTP server and the Prometheus
 * registry.
 */
public final class StatusServer implements AutoCloseable {

  static final String READY = "cartostream.ready";

  private static final Logger LOG = LoggerFactory.getLogger(StatusServer.class);

  /** Number of successive ports to try, so that as many processes of one host find a port each. */
  private static final int PORTS = 100;

  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";
  private static final String TEXT = "text/plain; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collections = new JvmGcMetrics();
  private final MultiGauge ready;
  private final HttpServer server;
  private final Runnable refresh;

  private StatusServer(HttpServer server, Runnable refresh) {
    this.server = server;
    this.refresh = refresh;
    new JvmMemoryMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    collections.bindTo(registry);
    Info.builder()
        .name("cartostream_build_info")
        .help("Versions of Cartostream and of Java; always 1")
        .labelNames("version", "java")
        .register(registry.getPrometheusRegistry())
        .addLabelValues(Version.current(), System.getProperty("java.version"));
    ready =
        MultiGauge.builder(READY)
            .description("1 while this part of the process does its work, else 0")
            .register(registry);
  }

  /**
   * Opens a server, which listens at once, and answers requests after {@link #start}.
   *
   * @param settings prefix of the settings that name host and port, for error messages
   * @param port first port to try, as other processes of this host may have it; 0 for any free port
   * @param refresh runs before each answer, to update metrics that are not written continually
   * @throws UncheckedIOException if no port can be had
   */
  public static StatusServer open(String settings, String host, int port, Runnable refresh) {
    try {
      return new StatusServer(listen(host, port), refresh);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "%1$sHost, %1$sPort: nobody can listen at %2$s:%3$d".formatted(settings, host, port), e);
    }
  }

  private static HttpServer listen(String host, int wanted) throws IOException {
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

  /** Starts to answer requests, and logs the address. */
  public void start() {
    server.createContext("/metrics", this::metrics);
    server.createContext("/health/live", exchange -> answer(exchange, 200, TEXT, "live\n"));
    server.createContext("/health/ready", this::ready);
    Metrics.addRegistry(registry);
    server.start();
    InetSocketAddress address = server.getAddress();
    LOG.info("metrics: http://{}:{}/metrics", address.getHostString(), address.getPort());
  }

  MeterRegistry registry() {
    return registry;
  }

  private void metrics(HttpExchange exchange) throws IOException {
    refresh.run();
    ready.register(
        Readiness.byPart().entrySet().stream()
            .<MultiGauge.Row<?>>map(
                each -> MultiGauge.Row.of(Tags.of("part", each.getKey()), each.getValue() ? 1 : 0))
            .toList(),
        true);
    answer(exchange, 200, METRICS, registry.scrape());
  }

  private void ready(HttpExchange exchange) throws IOException {
    refresh.run();
    List<String> missing =
        Readiness.byPart().entrySet().stream()
            .filter(each -> !each.getValue())
            .map(Map.Entry::getKey)
            .toList();
    if (missing.isEmpty()) {
      answer(exchange, 200, TEXT, "ready\n");
    } else {
      answer(exchange, 503, TEXT, "not ready: " + String.join(", ", missing) + "\n");
    }
  }

  private static void answer(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] page = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  @Override
  public void close() {
    Metrics.removeRegistry(registry);
    server.stop(0);
    collections.close();
    registry.close();
  }
}
