package org.cartostream.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs jobs one after another in a {@link TestJvm}, which lives until a job wants another class
 * path or kind of JVM, ends by itself, or does not answer in time. Used by one thread; {@link
 * #close} by any.
 */
final class TestLane implements AutoCloseable {

  /** Longer than any class takes; the long forms take some times the minutes that they are told. */
  private static final long MAX_MINUTES = 20 + 4 * Long.getLong("cartostream.minutes", 0);

  private static final int START_POLL_MILLIS = 500;
  private static final int END_SECONDS = 10;

  /**
   * Most JVMs of tests and what they start live for a minute: the quick compiler serves them best.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  /** Kind of jobs that a JVM serves: those of the same kind share one. */
  private record Kind(int classPath, boolean quick, boolean computes) {}

  private final Path root;
  private final ClassPaths classPaths;
  private final Path log;
  private final Path temporary;

  private Kind kind;
  private Socket socket;
  private volatile Process process;
  private boolean closed;

  TestLane(String name, Path root, ClassPaths classPaths) {
    this.root = root;
    this.classPaths = classPaths;
    log = TestRun.output(root).resolve(name + ".log");
    temporary = TestRun.temporary(root).resolve(name);
  }

  ClassResult run(TestJob job) {
    long started = System.nanoTime();
    String why;
    try {
      Socket jvm = connected(job);
      jvm.setSoTimeout((int) TimeUnit.MINUTES.toMillis(MAX_MINUTES));
      DataOutputStream out = new DataOutputStream(jvm.getOutputStream());
      out.writeUTF(job.className());
      out.writeUTF(job.group().name());
      out.flush();
      ClassResult result = ClassResult.read(new DataInputStream(jvm.getInputStream()));
      return result.tests() > 0 || result.failed()
          ? result
          : ClassResult.crashed("no test of this group was found", result.seconds());
    } catch (SocketTimeoutException e) {
      why = "no end within " + MAX_MINUTES + " minutes";
    } catch (IOException e) {
      why = "the test JVM ended (" + e.getMessage() + ")";
    }
    end();
    return ClassResult.crashed(
        why + "; its output is in " + root.relativize(log), (System.nanoTime() - started) / 1e9);
  }

  /** The connection to a JVM for a job: the one at hand, or a new one. */
  private synchronized Socket connected(TestJob job) throws IOException {
    Kind wanted =
        new Kind(
            job.classPath(), job.group() == TestGroup.QUICK, job.load() == TestJob.Load.COMPUTES);
    if (!wanted.equals(kind) || !process.isAlive()) {
      end();
      if (closed) {
        throw new IOException("the run was stopped");
      }
      Files.createDirectories(log.getParent());
      Files.createDirectories(temporary);
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        process = start(wanted, server.getLocalPort());
        socket = accept(server);
        kind = wanted;
      }
    }
    return socket;
  }

  private Process start(Kind wanted, int port) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command(wanted, port))
            .directory(root.resolve("testing").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    if (!wanted.quick() && !wanted.computes()) {
      builder
          .environment()
          .merge("JAVA_TOOL_OPTIONS", QUICK_COMPILER, (its, ours) -> its + " " + ours);
    }
    return builder.start();
  }

  private Socket accept(ServerSocket server) throws IOException {
    server.setSoTimeout(START_POLL_MILLIS);
    while (true) {
      try {
        return server.accept();
      } catch (SocketTimeoutException e) {
        if (!process.isAlive()) {
          throw new IOException("it did not start, exit code " + process.exitValue(), e);
        }
      }
    }
  }

  private List<String> command(Kind wanted, int port) {
    List<String> command = new ArrayList<>();
    if (wanted.computes()) {
      command.addAll(List.of("nice", "-n", "10")); // It yields to those in which time-outs run.
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!wanted.computes()) {
      command.addAll(List.of(QUICK_COMPILER, "-XX:+UseSerialGC"));
    }
    command.addAll(
        List.of(
            "-Xmx3g",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + temporary,
            "-Djqwik.database=" + temporary.resolve("jqwik-database"),
            "-Dcartostream.root=" + root));
    System.getProperties().stringPropertyNames().stream()
        .filter(each -> each.startsWith("cartostream.") && !each.equals("cartostream.root"))
        .forEach(each -> command.add("-D" + each + "=" + System.getProperty(each)));
    command.addAll(
        List.of(
            "-cp",
            classPaths.get(wanted.classPath()).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)),
            TestJvm.class.getName(),
            Integer.toString(port)));
    return command;
  }

  /**
   * Ends the JVM, and what it has left running: such a process has the lane's folder in its
   * command.
   */
  private void end() {
    Process running = process;
    if (running == null) {
      return;
    }
    try {
      if (socket != null) {
        socket.close();
      }
      if (!running.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        running.destroyForcibly();
      }
    } catch (IOException | InterruptedException e) {
      running.destroyForcibly();
    }
    ProcessHandle.allProcesses()
        .filter(each -> each.info().commandLine().orElse("").contains(temporary.toString()))
        .filter(each -> each.pid() != running.pid())
        .forEach(ProcessHandle::destroyForcibly);
    process = null;
    kind = null;
    socket = null;
  }

  /** Ends the JVM at once, for the run was stopped. */
  void stop() {
    Process running = process;
    if (running != null) {
      running.descendants().forEach(ProcessHandle::destroy);
      running.destroy();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    end();
  }
}
