package org.cartostream.broker.rabbitmq;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Private RabbitMQ node for tests and measurements: it has its own name, ports on 127.0.0.1, folder
 * and port mapper, and touches no RabbitMQ that the machine may run already.
 *
 * <p>Owns the processes of the server and its port mapper, and the folder. The folder, with the
 * messages in durable queues, stays between {@link #stop} and {@link #start}, and is deleted on
 * {@link #close}.
 */
public final class LocalRabbitMq implements AutoCloseable {

  private static final long START_SECONDS = 180;
  private static final long STOP_SECONDS = 20;
  private static final long POLL_MILLIS = 100;
  private static final int MIN_PORT = 15_000;
  private static final int PORTS_END = 32_000;
  private static final int PORT_TRIES = 100;

  private final Path folder;
  private final int port;
  private final RabbitMqNode node;
  private Process portMapper;
  private Process server;

  private LocalRabbitMq() throws IOException {
    this.folder = Files.createTempDirectory("cartostream-rabbitmq-");
    // All three sockets stay open until each port is known, or two of the ports might be the same.
    try (ServerSocket clients = anyPort();
        ServerSocket tools = anyPort();
        ServerSocket names = anyPort()) {
      this.port = clients.getLocalPort();
      this.node =
          new RabbitMqNode(
              folder, "cartostream" + port, tools.getLocalPort(), names.getLocalPort());
    }
  }

  /**
   * Returns a sentence that says what has to be installed for a node to run; empty if nothing is
   * missing.
   */
  public static Optional<String> missing() {
    return RabbitMqNode.missing();
  }

  /** Writer of a node's configuration. */
  @FunctionalInterface
  public interface Configuration {

    /**
     * Returns the contents of files by name; {@code rabbitmq.conf} is the node's own, without
     * listeners.
     */
    Map<String, String> filesFor(Path folder) throws IOException;
  }

  /** Starts a node with an empty broker, configured by files of its own. */
  public static LocalRabbitMq started(Configuration configuration)
      throws IOException, InterruptedException {
    if (missing().isPresent()) {
      throw new IOException(missing().get());
    }
    LocalRabbitMq node = new LocalRabbitMq();
    Files.writeString(node.folder.resolve("enabled_plugins"), "[].\n");
    for (Map.Entry<String, String> file : configuration.filesFor(node.folder).entrySet()) {
      Files.writeString(node.folder.resolve(file.getKey()), file.getValue());
    }
    try {
      node.start();
    } catch (IOException | InterruptedException e) {
      node.close();
      throw e;
    }
    return node;
  }

  /** Starts a node with RabbitMQ's defaults: user {@code guest}, vhost {@code /}. */
  public static LocalRabbitMq started() throws IOException, InterruptedException {
    return started(folder -> Map.of("rabbitmq.conf", "loopback_users = none\n"));
  }

  /** Returns the address with user and password. */
  public String uri() {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  /** Returns the port of 127.0.0.1 at which the node listens for clients. */
  public int port() {
    return port;
  }

  /** Runs a command of {@code rabbitmqctl} on the running node. */
  public void control(String... command) throws IOException, InterruptedException {
    Path log = folder.resolve("control.log");
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(RabbitMqNode.TOOL.toString())));
    builder.command().addAll(List.of(command));
    builder.environment().putAll(node.environment());
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    if (builder.start().waitFor() != 0) {
      throw new IOException("rabbitmqctl fails: " + Files.readString(log));
    }
  }

  /** Starts the node and waits until it greets clients; without effect while the node runs. */
  public void start() throws IOException, InterruptedException {
    if (server != null && server.isAlive()) {
      return;
    }
    startPortMapper();
    ProcessBuilder builder = new ProcessBuilder(RabbitMqNode.SERVER.toString());
    builder.environment().putAll(node.environment());
    builder.environment().put("RABBITMQ_NODE_PORT", Integer.toString(port));
    builder.environment().put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("server.log").toFile());
    server = builder.start();
    await(this::greets, server, "RabbitMQ", "server.log");
  }

  /**
   * Starts the port mapper. Erlang would start one, but does not wait until it listens: on a busy
   * machine the server then ends with {@code econnrefused}.
   */
  private void startPortMapper() throws IOException, InterruptedException {
    if (portMapper != null && portMapper.isAlive()) {
      return;
    }
    ProcessBuilder epmd = new ProcessBuilder("epmd", "-port", "" + node.epmdPort());
    epmd.environment().putAll(node.environment());
    epmd.redirectErrorStream(true).redirectOutput(folder.resolve("epmd.log").toFile());
    portMapper = epmd.start();
    await(this::mapsPorts, portMapper, "Its port mapper", "epmd.log");
  }

  private void await(BooleanSupplier ready, Process process, String what, String log)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!ready.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException(what + " does not start: " + Files.readString(folder.resolve(log)));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private boolean mapsPorts() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.epmdPort())) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /**
   * Returns true if the node answers a wrong protocol header with its own, as AMQP 0-9-1 section
   * 4.2.2 asks.
   */
  private boolean greets() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
      socket.setSoTimeout(2000);
      socket.getOutputStream().write("AMQP????".getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return in.read() == 'A';
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Stops the node in an orderly way; durable queues and persistent messages stay. */
  public void stop() throws InterruptedException {
    if (server == null) {
      return;
    }
    List<ProcessHandle> children = server.descendants().toList();
    server.destroy();
    if (!server.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
      children.forEach(ProcessHandle::destroyForcibly);
      server.destroyForcibly().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    }
    server = null;
  }

  /** Stops the node and its port mapper, and deletes its folder. */
  @Override
  public void close() throws IOException, InterruptedException {
    stop();
    if (portMapper != null) {
      portMapper.destroy();
      portMapper.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    }
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(LocalRabbitMq::delete);
    }
  }

  private static void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  /**
   * Opens a free port below those that Linux gives to outgoing connections (from 32768). An
   * outgoing connection could take one of those between this call and the server's start, or while
   * the server is stopped.
   */
  private static ServerSocket anyPort() throws IOException {
    for (int tries = 0; ; tries++) {
      int port = ThreadLocalRandom.current().nextInt(MIN_PORT, PORTS_END);
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (BindException e) {
        if (tries == PORT_TRIES) {
          throw e;
        }
      }
    }
  }
}
