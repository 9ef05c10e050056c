package org.cartostream.ros.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.ros.node.GraphNames;
import org.cartostream.ros.node.MasterMonitor;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.tcpros.TcpRosNode;

/**
 * A private ROS 1 master for tests and trials, with ROS's own tools beside it: a free port on
 * 127.0.0.1, its own folder for logs.
 *
 * <p>Owns the master's process, those of the tools that it started, and the folder.
 */
public final class LocalRosMaster implements AutoCloseable {

  /** How to get what is missing, on Debian. */
  public static final String PACKAGES =
      "python3-rosmaster python3-rospy python3-rostopic python3-rosservice python3-rosbag"
          + " python3-sensor-msgs python3-nav-msgs python3-tf2-msgs python3-tf2-ros"
          + " python3-diagnostic-msgs python3-std-srvs";

  /** Debian's own Python: another one in the path has no ROS. */
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  private static final List<Path> NEEDED =
      List.of(
          PYTHON,
          Path.of("/usr/bin/rosmaster"),
          Path.of("/usr/bin/rostopic"),
          Path.of("/usr/bin/rosservice"),
          Path.of("/usr/bin/rosbag"),
          Path.of("/usr/lib/python3/dist-packages/rospy"),
          Path.of("/usr/lib/python3/dist-packages/sensor_msgs"),
          Path.of("/usr/lib/python3/dist-packages/nav_msgs"),
          Path.of("/usr/lib/python3/dist-packages/tf2_msgs"),
          Path.of("/usr/lib/python3/dist-packages/tf2_ros"),
          Path.of("/usr/lib/python3/dist-packages/diagnostic_msgs"),
          Path.of("/usr/lib/python3/dist-packages/std_srvs"));

  private static final long START_SECONDS = 30;
  private static final long STOP_SECONDS = 10;

  private final Path folder;
  private final int port;
  private final List<Process> tools = new ArrayList<>();
  private Process master;

  private LocalRosMaster() throws IOException {
    folder = Files.createTempDirectory("cartostream-ros-");
    port = freePort();
  }

  /** What has to be installed for this to work, as a sentence; empty if nothing is missing. */
  public static Optional<String> missing() {
    return NEEDED.stream().allMatch(Files::exists)
        ? Optional.empty()
        : Optional.of("ROS 1 is not installed: apt-get install " + PACKAGES);
  }

  /** A running master that knows nobody. */
  public static LocalRosMaster started() throws IOException, InterruptedException {
    LocalRosMaster master = new LocalRosMaster();
    try {
      master.start();
      return master;
    } catch (IOException | InterruptedException e) {
      master.close();
      throw e;
    }
  }

  /** Its address. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** What a node needs to know beside the master's address. */
  public Map<String, String> environment() {
    return Map.of("ROS_IP", "127.0.0.1");
  }

  /** A node of ours, on this master. */
  public RosNode node(String name) {
    return TcpRosNode.start(
        uri(), new GraphNames("/", name, Map.of()), environment(), new MasterMonitor());
  }

  /** A folder for files; it goes when this closes. */
  public Path folder() {
    return folder;
  }

  /** Starts the master and waits until it accepts connections. */
  public void start() throws IOException, InterruptedException {
    master = process("master", "rosmaster", "--core", "-p", Integer.toString(port));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!master.isAlive() || System.nanoTime() > end) {
        throw new IOException("the ROS master does not start: " + said("master"));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Stops the master; whom it knew is forgotten. */
  public void stop() throws InterruptedException {
    end(master);
  }

  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /**
   * Starts one of ROS's tools beside this master.
   *
   * @param name under which {@link #said} knows what it prints
   * @param command such as {@code rostopic echo /map}
   */
  public Process tool(String name, String... command) throws IOException {
    Process tool = process(name, command);
    tools.add(tool);
    return tool;
  }

  /** Starts a program of the user's, with this master's environment. */
  public Process script(String name, String python) throws IOException {
    Path file = folder.resolve(name + ".py");
    Files.writeString(file, python);
    Process script = launch(name, List.of(PYTHON.toString(), "-u", file.toString()));
    tools.add(script);
    return script;
  }

  /** What a tool has printed so far. */
  public String said(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".out"));
  }

  private Process process(String name, String... command) throws IOException {
    List<String> line = new ArrayList<>(List.of(PYTHON.toString(), "-u", "/usr/bin/" + command[0]));
    line.addAll(List.of(command).subList(1, command.length));
    return launch(name, line);
  }

  private Process launch(String name, List<String> line) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(line);
    builder
        .environment()
        .putAll(
            Map.of(
                "ROS_MASTER_URI", uri().toString(),
                "ROS_IP", "127.0.0.1",
                "ROS_HOME", folder.toString(),
                "ROS_LOG_DIR", folder.resolve("log").toString()));
    builder.environment().remove("ROS_HOSTNAME");
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve(name + ".out").toFile());
    return builder.start();
  }

  /** Ends a tool as Ctrl-C does, so that it closes its files. */
  public void interrupt(Process tool) throws IOException, InterruptedException {
    List<ProcessHandle> children = tool.descendants().toList();
    for (ProcessHandle child : children) {
      new ProcessBuilder("kill", "-INT", Long.toString(child.pid())).start().waitFor();
    }
    if (children.isEmpty()) {
      new ProcessBuilder("kill", "-INT", Long.toString(tool.pid())).start().waitFor();
    }
    if (!tool.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      end(tool);
    }
  }

  private static void end(Process process) throws InterruptedException {
    if (process == null) {
      return;
    }
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    }
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** Stops the master and the tools, and deletes the folder. */
  @Override
  public void close() throws IOException, InterruptedException {
    for (Process tool : tools) {
      end(tool);
    }
    end(master);
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(LocalRosMaster::delete);
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
