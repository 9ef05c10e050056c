package org.cartostream.bench.collectives;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Launcher of a group: runs it once, in processes of its own, and collects its members' times.
 *
 * @param implementation implementation of the operations
 * @param members number of members of the group
 * @param cells cases to measure
 * @param broker address at which members of {@link Implementation#RABBITMQ} meet; empty for the
 *     others
 */
public record GroupLauncher(
    Implementation implementation, int members, List<CollectiveCase> cells, String broker) {

  /** Name of the file with the cases, in a launch's folder. */
  static final String CELLS = "cells";

  /** Name of the file with the broker's address, in a launch's folder. */
  static final String BROKER = "broker";

  private static final Path MPJ = Path.of("/usr/share/mpj");
  private static final Path LOG4J = Path.of("/usr/share/java/log4j-1.2.jar");
  private static final long SECONDS = 300;
  private static final String HEAP = "-Xmx1g";

  /**
   * Returns a sentence that says what has to be installed for MPJ Express; empty if nothing is
   * missing.
   */
  public static Optional<String> missingMpj() {
    return Files.exists(MPJ.resolve("lib/mpj.jar")) && Files.exists(LOG4J)
        ? Optional.empty()
        : Optional.of("MPJ Express is not installed (Debian: apt-get install libmpj-java)");
  }

  /**
   * Runs the group.
   *
   * @return the lines that each member has written, by rank
   * @throws IOException if a process fails; the message has the end of its output
   */
  public List<List<String>> run() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("cartostream-collectives-");
    try (MpjRendezvous desk = new MpjRendezvous(members)) {
      Files.write(folder.resolve(CELLS), cells.stream().map(CollectiveCase::line).toList());
      Files.writeString(folder.resolve(BROKER), broker);
      List<Process> processes = new ArrayList<>();
      try {
        for (List<String> command : commands(folder, desk)) {
          processes.add(start(command, folder, processes.size()));
        }
        await(processes, folder);
      } finally {
        processes.forEach(GroupLauncher::destroy);
      }
      List<List<String>> times = new ArrayList<>();
      for (int rank = 0; rank < members; rank++) {
        times.add(Files.readAllLines(MemberTimer.file(folder, rank)));
      }
      return times;
    } finally {
      delete(folder);
    }
  }

  private List<List<String>> commands(Path folder, MpjRendezvous desk) {
    if (implementation == Implementation.MPJ_THREADS) {
      return List.of(mpjThreads(folder));
    }
    if (!implementation.inJvms()) {
      return List.of(ours(folder, -1));
    }
    List<List<String>> commands = new ArrayList<>();
    for (int rank = 0; rank < members; rank++) {
      commands.add(implementation.isMpj() ? mpjJvm(folder, rank, desk) : ours(folder, rank));
    }
    return commands;
  }

  private List<String> ours(Path folder, int rank) {
    return List.of(
        java(),
        HEAP,
        "-cp",
        classPath(),
        MemberProcess.class.getName(),
        Integer.toString(rank),
        Integer.toString(members),
        folder.toString(),
        implementation.name());
  }

  /**
   * Returns the option that puts Log4j on the boot class path: Debian's jars of MPJ Express name it
   * by a path that is not there.
   */
  private static String log4jOnBootClassPath() {
    return "-Xbootclasspath/a:" + LOG4J;
  }

  private List<String> mpjThreads(Path folder) {
    return List.of(
        java(),
        log4jOnBootClassPath(),
        "-jar",
        MPJ.resolve("lib/starter.jar").toString(),
        HEAP,
        log4jOnBootClassPath(),
        "-np",
        Integer.toString(members),
        "-dev",
        "multicore",
        "-cp",
        classPath(),
        MemberProcess.class.getName(),
        folder.toString(),
        implementation.name());
  }

  private List<String> mpjJvm(Path folder, int rank, MpjRendezvous desk) {
    return List.of(
        java(),
        HEAP,
        log4jOnBootClassPath(),
        "-cp",
        MPJ.resolve("lib/mpj.jar") + ":" + classPath(),
        MemberProcess.class.getName(),
        Integer.toString(rank),
        desk.configuration(),
        "niodev",
        folder.toString(),
        implementation.name());
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(each -> Path.of(each).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Process start(List<String> command, Path folder, int number) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("MPJ_HOME", MPJ.toString());
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(outputFile(folder, number).toFile());
    return builder.start();
  }

  private static Path outputFile(Path folder, int number) {
    return folder.resolve("output-" + number);
  }

  private void await(List<Process> processes, Path folder)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    for (int i = 0; i < processes.size(); i++) {
      boolean ended =
          processes.get(i).waitFor(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
      boolean complete =
          Files.exists(MemberTimer.file(folder, processes.size() > 1 ? i : members - 1));
      if (!ended || !complete) {
        throw new IOException(
            "%d members of %s in %s %s: %s"
                .formatted(
                    members,
                    implementation.channel(),
                    implementation.place(),
                    ended ? "ended without their times" : "took more than " + SECONDS + " s",
                    end(outputFile(folder, i))));
      }
    }
  }

  /**
   * Returns the last lines of an output, without the places of a stack trace, which would hide its
   * reason.
   */
  private static String end(Path output) throws IOException {
    List<String> lines =
        Files.readAllLines(output).stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size()));
  }

  private static void destroy(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.delete(folder);
  }
}
