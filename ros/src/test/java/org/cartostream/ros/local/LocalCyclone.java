package org.cartostream.ros.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Peers in ROS 2's graph by Cyclone DDS, which is not ours ({@code cyclone.py} says what they can
 * do), on 127.0.0.1 or another address.
 *
 * <p>Owns the peers' processes, and the script in its folder.
 */
public final class LocalCyclone implements AutoCloseable {

  /** Where {@code scripts/test} puts it. */
  private static final Path PYTHON =
      Path.of(System.getProperty("user.home"), ".cache/cartostream/cyclonedds/bin/python");

  /** All else is Cyclone's own default. */
  private static final String CONFIGURATION =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface %s/></Interfaces>"
          + "</General></Domain></CycloneDDS>";

  private static final long SECONDS = 10;

  private final Path folder;
  private final int domain;
  private final List<String> before;
  private final List<Process> peers = new ArrayList<>();

  /**
   * @param folder for the script and what peers print
   * @param before words before the command, as those that run it in another network namespace
   */
  public LocalCyclone(Path folder, int domain, String... before) {
    this.folder = folder;
    this.domain = domain;
    this.before = List.of(before);
  }

  /** What has to be installed for this to work, as a sentence; empty if nothing is missing. */
  public static Optional<String> missing() {
    return Files.exists(PYTHON)
        ? Optional.empty()
        : Optional.of("there is no Cyclone DDS: scripts/test puts it into " + PYTHON);
  }

  /** Starts a peer on 127.0.0.1, without multicast; what it does is its name, too. */
  public Process start(String... does) throws IOException {
    return startAt("address=\"127.0.0.1\" multicast=\"false\"", does);
  }

  /** Starts a peer on an interface, in the words of Cyclone's configuration. */
  public Process startAt(String networkInterface, String... does) throws IOException {
    Path script = folder.resolve("cyclone.py");
    try (InputStream text = LocalCyclone.class.getResourceAsStream("cyclone.py")) {
      Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of(PYTHON.toString(), "-u", script.toString(), Integer.toString(domain)));
    command.addAll(List.of(does));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(output(String.join("-", does)).toFile()));
    builder.environment().put("CYCLONEDDS_URI", CONFIGURATION.formatted(networkInterface));
    Process peer = builder.start();
    peers.add(peer);
    return peer;
  }

  private Path output(String name) {
    return folder.resolve(name + ".out");
  }

  /** What peers of a name have printed so far. */
  public List<String> said(String... does) {
    return PrintedLines.of(output(String.join("-", does)));
  }

  @Override
  public void close() throws InterruptedException {
    for (Process peer : peers) {
      peer.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
    }
  }
}
