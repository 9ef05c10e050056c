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
 * Runner of jobs, one after another, in a {@link TestJvm}. The JVM lives until a job needs another
 * class path or kind of JVM, until it ends by itself, or until it does not answer in time. Used by
 * one thread; {@link #close} by any.
 */
final class TestLane implements AutoCloseable {

  /**
   * Time-out of a test class. Soak tests run for up to four times {@code -Dcartostream.minutes}.
   */
  private static final long MAX_MINUTES = 20 + 4 * Long.getLong("cartostream.minutes", 0);

  private static final int START_POLL_MILLIS = 500;
  private static final int END_SECONDS = 10;

  /**
   * Compiler option for JVMs that live for about a minute, as most test JVMs and the JVMs they
   * start: the quick compiler alone serves them best.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  /** Kind of a test JVM: jobs that need the same kind share one. */
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

  /** Returns the connection to a JVM for a job: the current JVM if it fits, or a new one. */
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
      command.addAll(List.of("nice", "-n", "10")); // Yields to tests with time-outs.
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
   * Ends the JVM and the processes that it has left running, which have the lane's temporary folder
   * in their command lines.
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

  /** Ends the JVM at once, because the run was stopped. */
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
