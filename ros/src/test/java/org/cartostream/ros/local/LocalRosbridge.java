package org.cartostream.ros.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A rosbridge server for tests and trials, by the protocol's specification ({@code rosbridge.py}):
 * that of ROS 2 itself cannot be had without ROS 2. Beside it, Python with roslibpy, a client that
 * is not ours. The server listens on a free port of 127.0.0.1.
 *
 * <p>Owns the server's process, and the scripts in its folder.
 */
public final class LocalRosbridge implements AutoCloseable {

  private static final String SERVER = "rosbridge";

  /** Where {@code scripts/test} puts them. */
  private static final Path PYTHON =
      Path.of(System.getProperty("user.home"), ".cache/cartostream/roslibpy/bin/python");

  private static final long SECONDS = 30;

  /** What rosbridge's server has from Tornado. */
  private static final int MAX_BYTES = 10 << 20;

  private final Path folder;
  private final int port;
  private final int maxBytes;
  private final String compressions;
  private Process server;

  private LocalRosbridge(Path folder, int port, int maxBytes, String compressions) {
    this.folder = folder;
    this.port = port;
    this.maxBytes = maxBytes;
    this.compressions = compressions;
  }

  /** What has to be installed for this to work, as a sentence; empty if nothing is missing. */
  public static Optional<String> missing() {
    return Files.exists(PYTHON)
        ? Optional.empty()
        : Optional.of("there is no roslibpy: scripts/test puts it into " + PYTHON);
  }

  /**
   * A running server that knows nobody.
   *
   * @param folder for scripts and what they print
   */
  public static LocalRosbridge started(Path folder) throws IOException, InterruptedException {
    return started(folder, MAX_BYTES);
  }

  /**
   * The same, of which it is known what it compresses by.
   *
   * @param compressions as the script has them
   */
  public static LocalRosbridge started(Path folder, String compressions)
      throws IOException, InterruptedException {
    LocalRosbridge bridge = new LocalRosbridge(folder, freePort(), MAX_BYTES, compressions);
    bridge.start();
    return bridge;
  }

  /** The same, which closes the connection at a message of more than {@code maxBytes}. */
  public static LocalRosbridge started(Path folder, int maxBytes)
      throws IOException, InterruptedException {
    LocalRosbridge bridge = new LocalRosbridge(folder, freePort(), maxBytes, "cbor-raw,cbor");
    bridge.start();
    return bridge;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Its address. */
  public URI uri() {
    return URI.create("ws://127.0.0.1:" + port);
  }

  /** Starts the server and waits until it listens. */
  public void start() throws IOException, InterruptedException {
    try (InputStream text = LocalRosbridge.class.getResourceAsStream(SERVER + ".py")) {
      server = run(SERVER, new String(text.readAllBytes(), StandardCharsets.UTF_8));
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!said(SERVER).contains("listening")) {
      if (!server.isAlive() || System.nanoTime() > end) {
        throw new IOException("the rosbridge server does not start: " + said(SERVER));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Ends the server without a word to its clients. */
  public void kill() throws InterruptedException {
    server.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
  }

  /**
   * Starts a script, with the server's port and its largest message as its arguments.
   *
   * @param name under which {@link #said} knows what it prints
   */
  public Process run(String name, String python) throws IOException {
    Path script = Files.writeString(folder.resolve(name + ".py"), python);
    return new ProcessBuilder(
            List.of(
                PYTHON.toString(),
                "-u",
                script.toString(),
                Integer.toString(port),
                Integer.toString(maxBytes),
                compressions))
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .start();
  }

  /** What a script has printed so far. */
  public String said(String name) throws IOException {
    return Files.readString(folder.resolve(name + ".out"));
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
