package org.cartostream.topology;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.cartostream.broker.Envelope;
import org.cartostream.slam.geometry.Pose;

/**
 * A real Storm cluster on this machine, made of the jars of the test's own class path: Nimbus and a
 * supervisor with two slots, each a process; a ZooKeeper in this JVM.
 *
 * <p>Workers see what they would on any cluster: Storm's {@code lib-worker}, which holds the client
 * and the libraries in our versions but neither servers nor test tools, and the topology's jar,
 * which holds our classes.
 */
final class Cluster implements AutoCloseable {

  private static final String NAME = "cartostream-test";
  private static final Set<String> NOT_FOR_WORKERS =
      Set.of("storm-server", "rocksdb", "junit", "jqwik", "assertj", "awaitility", "byte-buddy");
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level [%thread] %logger{0}: %msg%n</pattern></encoder>
        </appender>
        <root level="WARN"><appender-ref ref="console"/></root>
        <logger name="org.cartostream" level="INFO"/>
      </configuration>
      """;

  private final Path home;
  private final LocalZooKeeper zookeeper = LocalZooKeeper.start();
  private final List<Process> daemons = new ArrayList<>();
  private final Map<String, Object> conf = new HashMap<>();

  Cluster() throws IOException {
    home = Files.createTempDirectory("storm");
    List<Integer> ports = freePorts(4);
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
    conf.put(Config.STORM_ZOOKEEPER_PORT, zookeeper.port());
    conf.put(Config.NIMBUS_SEEDS, List.of("127.0.0.1"));
    conf.put(Config.NIMBUS_THRIFT_PORT, ports.get(0));
    conf.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
    conf.put(Config.STORM_LOCAL_DIR, home.resolve("local").toString());
    conf.put("supervisor.thrift.port", ports.get(1));
    conf.put("supervisor.slots.ports", ports.subList(2, 4));
    conf.put("storm.metricstore.class", "org.apache.storm.metricstore.NoOpMetricStore");
    conf.put("nimbus.monitor.freq.secs", 1);
    conf.put("supervisor.monitor.frequency.secs", 1);
    conf.put(Config.WORKER_HEAP_MEMORY_MB, 256);
    furnish();
    daemons.add(start("nimbus", "org.apache.storm.daemon.nimbus.Nimbus"));
    daemons.add(start("supervisor", "org.apache.storm.daemon.supervisor.Supervisor"));
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        ports.add(sockets.get(i).getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  private void furnish() throws IOException {
    for (String folder :
        List.of("conf", "extlib", "extlib-daemon", "lib", "lib-worker", "log4j2", "logs")) {
      Files.createDirectories(home.resolve(folder));
    }
    StringBuilder yaml = new StringBuilder();
    conf.forEach((key, value) -> yaml.append(key).append(": ").append(quoted(value)).append('\n'));
    Files.writeString(home.resolve("conf/storm.yaml"), yaml);
    Files.writeString(home.resolve("conf/logback.xml"), LOGBACK);
    for (String name : List.of("cluster.xml", "worker.xml")) {
      Files.writeString(home.resolve("log4j2").resolve(name), "<Configuration/>\n");
    }
    for (Path jar : libraries()) {
      if (NOT_FOR_WORKERS.stream().noneMatch(jar.toString()::contains)) {
        Files.createSymbolicLink(home.resolve("lib-worker").resolve(jar.getFileName()), jar);
      }
    }
  }

  private static String quoted(Object value) {
    return value instanceof String ? "\"" + value + "\"" : value.toString();
  }

  /** The jars of other people on this test's class path. */
  private static List<Path> libraries() {
    List<Path> ours = ours();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar") && !ours.contains(path))
        .toList();
  }

  /** Where our classes come from: folders, or jars when Maven has packed them. */
  private static List<Path> ours() {
    List<Path> places = new ArrayList<>();
    for (Class<?> type : List.of(Pose.class, Envelope.class, ScanTopology.class)) {
      try {
        places.add(Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()));
      } catch (URISyntaxException e) {
        throw new IllegalStateException(e);
      }
    }
    return places;
  }

  private Process start(String name, String type) throws IOException {
    List<String> classPath = new ArrayList<>(List.of(home.resolve("conf").toString()));
    libraries().forEach(jar -> classPath.add(jar.toString()));
    ProcessBuilder daemon =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-Dstorm.home=" + home,
            "-Dstorm.log.dir=" + home.resolve("logs"),
            "-Dlogfile.name=" + name + ".log",
            "-Ddaemon.name=" + name,
            "-Djava.io.tmpdir=" + home,
            "-cp",
            String.join(File.pathSeparator, classPath),
            type);
    daemon.environment().put("STORM_CONF_DIR", home.resolve("conf").toString());
    daemon.redirectErrorStream(true);
    daemon.redirectOutput(home.resolve("logs").resolve(name + ".out").toFile());
    return daemon.start();
  }

  /** Submits the service as a user would: as a jar with our classes. */
  void submit(ServiceSettings settings) throws Exception {
    Config topology = ScanTopology.configuration(settings);
    topology.putAll(conf);
    System.setProperty("storm.jar", topologyJar().toString());
    try {
      StormSubmitter.submitTopology(NAME, topology, ScanTopology.of(settings));
    } finally {
      System.clearProperty("storm.jar");
    }
  }

  private Path topologyJar() throws IOException {
    Path jar = home.resolve("topology.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Path place : ours()) {
        if (Files.isDirectory(place)) {
          pack(place, out);
        } else {
          try (FileSystem packed = FileSystems.newFileSystem(place)) {
            pack(packed.getPath("/"), out);
          }
        }
      }
    }
    return jar;
  }

  private static void pack(Path root, JarOutputStream jar) throws IOException {
    try (java.util.stream.Stream<Path> files = Files.walk(root)) {
      for (Path path : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = root.relativize(path).toString();
        if (!name.startsWith("META-INF/")) {
          jar.putNextEntry(new ZipEntry(name));
          Files.copy(path, jar);
          jar.closeEntry();
        }
      }
    }
  }

  /** True once Nimbus answers and a supervisor has offered its slots. */
  boolean isReady() {
    try (NimbusClient nimbus = NimbusClient.Builder.withConf(withDefaults()).build()) {
      return nimbus.getClient().getClusterInfo().get_supervisors_size() == 1;
    } catch (TException | RuntimeException e) {
      return false;
    }
  }

  /** Ports of the workers that run {@code party}'s tasks. */
  List<Integer> workersOf(Class<? extends Party> party) throws TException {
    try (NimbusClient nimbus = NimbusClient.Builder.withConf(withDefaults()).build()) {
      TopologySummary topology = nimbus.getClient().getTopologySummaries().get(0);
      return nimbus.getClient().getTopologyInfo(topology.get_id()).get_executors().stream()
          .filter(executor -> executor.get_component_id().equals(Party.component(party)))
          .map(ExecutorSummary::get_port)
          .distinct()
          .toList();
    }
  }

  private Map<String, Object> withDefaults() {
    Map<String, Object> all = new HashMap<>(org.apache.storm.utils.Utils.readDefaultConfig());
    all.putAll(conf);
    all.put("storm.nimbus.retry.times", 0);
    return all;
  }

  /** What the processes have printed, for when something goes wrong. */
  String logs() {
    try (java.util.stream.Stream<Path> files = Files.walk(home.resolve("logs"))) {
      StringBuilder logs = new StringBuilder();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        List<String> lines = Files.readAllLines(file);
        logs.append("== ").append(file).append('\n');
        lines
            .subList(Math.max(0, lines.size() - 40), lines.size())
            .forEach(line -> logs.append(line).append('\n'));
      }
      return logs.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops the daemons first, so that nobody starts a worker again; then the workers, by number. */
  @Override
  public void close() throws Exception {
    List<ProcessHandle> processes = new ArrayList<>();
    for (Process daemon : daemons) {
      processes.add(daemon.toHandle());
      processes.addAll(daemon.descendants().toList());
    }
    processes.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : processes) {
      process.onExit().get(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS);
    }
    zookeeper.close();
  }
}
