package org.cartostream.ros.local;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Peers in ROS 2's graph by Debian's Fast DDS, which is not ours, in its default configuration
 * ({@code fastdds/peer.cpp} says what they do). They use all interfaces, so they are to be run in a
 * network namespace.
 *
 * <p>Owns the peers' processes, and their program, which is built here.
 */
public final class LocalFastDds implements AutoCloseable {

  private static final long BUILD_SECONDS = 300;
  private static final long SECONDS = 10;

  private final Path folder;
  private final int domain;
  private final List<String> before;
  private final List<Process> peers = new ArrayList<>();

  /**
   * @param folder for the program and what peers print
   * @param before words before the command, as those that run it in another network namespace
   * @throws IOException if the program cannot be built
   */
  public LocalFastDds(Path folder, int domain, String... before)
      throws IOException, InterruptedException {
    this.folder = folder;
    this.domain = domain;
    this.before = List.of(before);
    for (String file : List.of("Ros.idl", "peer.cpp")) {
      try (InputStream text = LocalFastDds.class.getResourceAsStream("fastdds/" + file)) {
        Files.copy(text, folder.resolve(file));
      }
    }
    build("fastddsgen", "Ros.idl");
    build(
        "g++",
        "-std=c++11",
        "peer.cpp",
        "Ros.cxx",
        "RosPubSubTypes.cxx",
        "-lfastrtps",
        "-lfastcdr",
        "-lpthread",
        "-o",
        "peer");
  }

  /** What has to be installed for this to work, as a sentence; empty if nothing is missing. */
  public static Optional<String> missing() {
    for (String needed : List.of("/usr/bin/fastddsgen", "/usr/bin/g++")) {
      if (!Files.exists(Path.of(needed))) {
        return Optional.of(
            "there is no " + needed + ": apt install libfastrtps-dev fastddsgen g++");
      }
    }
    return Optional.empty();
  }

  private void build(String... command) throws IOException, InterruptedException {
    Path output = output(command[0]);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(BUILD_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw new IOException(String.join(" ", command) + ": " + Files.readString(output));
    }
  }

  private Path output(String name) {
    return folder.resolve("fastdds-" + name + ".out");
  }

  /**
   * Starts a peer.
   *
   * @param name of its output
   * @param arguments behind the domain
   */
  public Process start(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(before);
    command.addAll(List.of(folder.resolve("peer").toString(), Integer.toString(domain)));
    command.addAll(List.of(arguments));
    Process peer =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output(name).toFile())
            .start();
    peers.add(peer);
    return peer;
  }

  /** What a peer has printed so far. */
  public List<String> said(String name) {
    return PrintedLines.of(output(name));
  }

  @Override
  public void close() throws InterruptedException {
    for (Process peer : peers) {
      peer.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
    }
  }
}
