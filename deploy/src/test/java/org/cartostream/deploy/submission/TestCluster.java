package org.cartostream.deploy.submission;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.topology.local.LocalZooKeeper;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;

/**
 * A real Storm cluster on this machine, made of the jars of the test's own class path: Nimbus and a
 * supervisor with two slots, each a process; a ZooKeeper in this JVM.
 */
final class TestCluster implements AutoCloseable {

  private static final String NAME = "cartostream-test";
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();
  private final StormHome home;
  private final LocalZooKeeper zookeeper = LocalZooKeeper.start();
  private final List<Process> daemons = new ArrayList<>();
  private final Map<String, Object> conf = new HashMap<>();
  private final Map<String, String> environment;

  TestCluster() throws IOException {
    this(Map.of(), Map.of());
  }

  /**
   * @param more of Storm's configuration
   * @param environment of all processes
   */
  TestCluster(Map<String, Object> more, Map<String, String> environment) throws IOException {
    this.environment = environment;
    home = new StormHome(Files.createTempDirectory("storm"));
    List<Integer> ports = freePorts(4);
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
    conf.put(Config.STORM_ZOOKEEPER_PORT, zookeeper.port());
    conf.put(Config.NIMBUS_SEEDS, List.of("127.0.0.1"));
    conf.put(Config.NIMBUS_THRIFT_PORT, ports.get(0));
    conf.put(Config.STORM_LOCAL_HOSTNAME, "127.0.0.1");
    conf.put(Config.STORM_LOCAL_DIR, home.folder().resolve("local").toString());
    conf.put("supervisor.thrift.port", ports.get(1));
    conf.put("supervisor.slots.ports", ports.subList(2, 4));
    conf.put("storm.metricstore.class", "org.apache.storm.metricstore.NoOpMetricStore");
    conf.put("nimbus.monitor.freq.secs", 1);
    conf.put("supervisor.monitor.frequency.secs", 1);
    conf.put(Config.WORKER_HEAP_MEMORY_MB, 256);
    conf.put(Config.WORKER_CHILDOPTS, "-Xmx%HEAP-MEM%m");
    conf.putAll(more);
    conf.put(Config.TOPOLOGY_WORKER_LOGWRITER_CHILDOPTS, "-Xmx64m");
    home.create(conf, ClassPath.libraries());
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

  private Process start(String name, String type) throws IOException {
    ProcessBuilder daemon = new ProcessBuilder(home.command(JAVA, name, 256, type));
    daemon.environment().putAll(home.environment());
    daemon.environment().putAll(environment);
    daemon.redirectErrorStream(true);
    daemon.redirectOutput(home.folder().resolve("logs").resolve(name + ".out").toFile());
    return daemon.start();
  }

  /** Submits the service as a user would: as a jar with our classes. */
  void submit(ServiceSettings settings) throws IOException, NimbusException {
    Path jar = TopologyJar.write(home.folder().resolve("topology.jar"));
    new Nimbus(conf).submit(NAME, settings, jar);
  }

  /** True once Nimbus answers and a supervisor has offered its slots. */
  boolean isReady() {
    try {
      return new Nimbus(conf).supervisors() == 1;
    } catch (NimbusException notYet) {
      return false;
    }
  }

  /** Ends the topology, as people do. */
  void kill() throws NimbusException {
    new Nimbus(conf).kill(NAME);
  }

  /** True if there is no topology, or one that is being ended. */
  boolean isEmpty() throws NimbusException {
    return new Nimbus(conf).topologies().stream().allMatch(each -> each.status().equals("KILLED"));
  }

  /** The workers that run {@code party}'s tasks, as {@code host:port}. */
  List<String> workersOf(Class<? extends Component> party) throws NimbusException {
    return new Nimbus(conf)
        .tasks(NAME).stream()
            .filter(task -> task.component().equals(Component.nameOf(party)))
            .map(Nimbus.Task::slot)
            .distinct()
            .toList();
  }

  /**
   * Ends all workers (kill -9), and the processes that write their logs.
   *
   * @return how many processes that was
   */
  int killWorkers() throws Exception {
    List<ProcessHandle> workers = workerProcesses();
    workers.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle worker : workers) {
      worker.onExit().get(60, TimeUnit.SECONDS);
    }
    return workers.size();
  }

  private List<ProcessHandle> workerProcesses() {
    return daemons.stream()
        .flatMap(Process::descendants)
        .filter(each -> each.info().commandLine().orElse("").contains(".worker.Worker "))
        .toList();
  }

  /** The workers' JVMs. */
  List<ProcessHandle> workers() {
    return workerProcesses().stream().filter(each -> each.children().findAny().isEmpty()).toList();
  }

  /** What its tasks have told Storm. */
  List<String> troubles() throws NimbusException {
    return new Nimbus(conf).troubles(NAME).stream().map(Nimbus.Trouble::sentence).toList();
  }

  /** The lines that processes have logged in which this is found. */
  List<String> logged(String regex) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home.folder().resolve("logs"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.readAllLines(file).stream()
            .filter(Pattern.compile(regex).asPredicate())
            .forEach(found::add);
      }
    }
    return found;
  }

  /** What the processes have printed, for when something goes wrong. */
  String logs() {
    try (Stream<Path> files = Files.walk(home.folder().resolve("logs"))) {
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
      process.onExit().get(Duration.ofSeconds(120).toMillis(), TimeUnit.MILLISECONDS);
    }
    zookeeper.close();
  }
}
