package org.cartostream.topology;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Assumptions;

/**
 * The service in a process of its own, with a heap of so many megabytes as its workers have, behind
 * a RabbitMQ of its own with the configuration that is delivered.
 */
final class ServiceProcess implements AutoCloseable {

  private static final String READY = "ready";
  private static final String DROPPED = "dropped ";

  private final LocalRabbitMq node;
  private final ServiceSettings settings;
  private final Process process;
  private final BufferedReader said;

  private ServiceProcess(LocalRabbitMq node, ServiceSettings settings, Process process) {
    this.node = node;
    this.settings = settings;
    this.process = process;
    this.said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  private static ServiceSettings settings(String uri, Path checkpoints) {
    return new ServiceSettings(
        Settings.build(FilterSettings.class, Map.of("particles", "30")),
        Settings.defaults(LocalisationSettings.class),
        BrokerSettings.defaults().withUri(uri),
        Settings.build(TopologySettings.class, Map.of("tasks", "2")),
        RegistrySettings.defaults(),
        Settings.build(
            CheckpointSettings.class,
            Map.of("folder", checkpoints.toString(), "everySeconds", "2")));
  }

  /** Starts both; where no RabbitMQ is installed the test is left out. */
  static ServiceProcess start(Path checkpoints, int heapMegabytes) throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    LocalRabbitMq node =
        LocalRabbitMq.started(
            folder ->
                Map.of(
                    "rabbitmq.conf",
                    ours("rabbitmq.conf").replaceAll("(?m)^definitions\\..*$", "")
                        + "loopback_users = none\n"));
    try {
      Path definitions = Files.createTempFile("cartostream-definitions-", ".json");
      Files.writeString(definitions, ours("definitions.json"));
      node.control("import_definitions", definitions.toString()); // They bound the queues.
      Files.delete(definitions);
      return start(node, checkpoints, heapMegabytes);
    } catch (IOException e) {
      node.close();
      throw e;
    }
  }

  /** One of the files for RabbitMQ that are delivered. */
  private static String ours(String name) throws IOException {
    try (InputStream in = BrokerNames.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static ServiceProcess start(LocalRabbitMq node, Path checkpoints, int heapMegabytes)
      throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+UseParallelGC", // As a worker's.
                "-cp",
                System.getProperty("java.class.path"),
                ServiceProcess.class.getName(),
                node.uri(),
                checkpoints.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    ServiceProcess started = new ServiceProcess(node, settings(node.uri(), checkpoints), process);
    started.await(READY);
    return started;
  }

  LocalRabbitMq node() {
    return node;
  }

  ServiceSettings settings() {
    return settings;
  }

  /** The rest of the line that begins so; lines before it are the service's log. */
  private String await(String beginning) throws IOException {
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
      System.out.println(line);
    }
    throw new IOException("the service's process has ended");
  }

  /** The most memory that the broker's process has had, megabytes. */
  static long brokerMegabytes() throws IOException {
    long max = 0;
    for (ProcessHandle each : ProcessHandle.current().descendants().toList()) {
      if (each.info().command().orElse("").endsWith("beam.smp")) {
        Path status = Path.of("/proc", Long.toString(each.pid()), "status");
        for (String line : Files.readAllLines(status)) {
          if (line.startsWith("VmHWM:")) {
            max = Math.max(max, Long.parseLong(line.replaceAll("\\D", "")) >> 10);
          }
        }
      }
    }
    return max;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** How many messages it has dropped until now. */
  long dropped() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
    return Long.parseLong(await(DROPPED));
  }

  @Override
  public void close() throws Exception {
    process.destroyForcibly();
    node.close();
  }

  /** Of the process. */
  public static void main(String[] arguments) throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Metrics.addRegistry(meters);
    LocalService.start(settings(arguments[0], Path.of(arguments[1])));
    System.out.println(READY);
    while (System.in.read() >= 0) {
      double dropped =
          meters.find("cartostream.dropped.messages").counters().stream()
              .mapToDouble(Counter::count)
              .sum();
      System.out.println(DROPPED + (long) dropped);
    }
    System.exit(0);
  }
}
