package org.cartostream.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
final class Lane implements AutoCloseable {

  /** No class comes near it, but for the long forms, whose minutes a property says. */
  private static final long MAX_MINUTES = 20 + 4 * Long.getLong("cartostream.minutes", 0);

  private static final long MAX_START_SECONDS = 120;

  /**
   * Most JVMs of tests and what they start live for a minute: the quick compiler serves them best.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private final String name;
  private final Path root;
  private final ClassPaths classPaths;
  private final Path log;

  private volatile Process process;
  private Socket socket;
  private String kind = "";

  Lane(String name, Path root, ClassPaths classPaths) {
    this.name = name;
    this.root = root;
    this.classPaths = classPaths;
    log = root.resolve("testing/target/output").resolve(name + ".log");
  }

  /** Which class path the running JVM has; -1 if none runs. */
  int classPath() {
    return kind.isEmpty() ? -1 : kind.charAt(0) - '0';
  }

  ClassResult run(TestJob job) {
    long started = System.nanoTime();
    try {
      start(job);
      socket.setSoTimeout((int) TimeUnit.MINUTES.toMillis(MAX_MINUTES));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeUTF(job.className());
      out.writeUTF(job.group().name());
      out.flush();
      ClassResult result = ClassResult.read(new DataInputStream(socket.getInputStream()));
      return result.tests() > 0 || result.failed()
          ? result
          : ClassResult.crashed("no test of this group was found", result.seconds());
    } catch (IOException e) {
      String why =
          e instanceof java.net.SocketTimeoutException
              ? "no end within " + MAX_MINUTES + " minutes"
              : "the test JVM ended (" + e.getMessage() + ")";
      close();
      return ClassResult.crashed(
          why + "; its output is in " + root.relativize(log), (System.nanoTime() - started) / 1e9);
    }
  }

  private void start(TestJob job) throws IOException {
    String wanted = job.classPath() + " " + (job.group() == TestGroup.QUICK) + job.computes();
    if (kind.equals(wanted) && process.isAlive()) {
      return;
    }
    close();
    Files.createDirectories(log.getParent());
    Path temporary = Files.createDirectories(root.resolve("testing/target/tmp").resolve(name));
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout((int) TimeUnit.SECONDS.toMillis(MAX_START_SECONDS));
      ProcessBuilder builder =
          new ProcessBuilder(command(job, temporary, server.getLocalPort()))
              .directory(root.resolve("testing").toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
      if (job.group() != TestGroup.QUICK && !job.computes()) {
        builder.environment().put("JAVA_TOOL_OPTIONS", QUICK_COMPILER);
      }
      process = builder.start();
      socket = server.accept();
      kind = wanted;
    }
  }

  private List<String> command(TestJob job, Path temporary, int port) {
    List<String> command = new ArrayList<>();
    if (job.computes()) {
      command.addAll(List.of("nice", "-n", "10")); // It yields to those in which time-outs run.
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (!job.computes()) {
      command.addAll(List.of(QUICK_COMPILER, "-XX:+UseSerialGC"));
    }
    command.addAll(
        List.of(
            "-Xmx3g",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + temporary,
            "-Dcartostream.root=" + root));
    System.getProperties().stringPropertyNames().stream()
        .filter(each -> each.startsWith("cartostream.") && !each.equals("cartostream.root"))
        .forEach(each -> command.add("-D" + each + "=" + System.getProperty(each)));
    command.addAll(
        List.of(
            "-cp",
            classPaths.get(job.classPath()).stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)),
            TestJvm.class.getName(),
            Integer.toString(port)));
    return command;
  }

  /** Ends the JVM, and what it may have left running. */
  @Override
  public void close() {
    Process running = process;
    if (running == null) {
      return;
    }
    List<ProcessHandle> left = running.descendants().toList();
    try {
      if (socket != null) {
        socket.close();
      }
      if (!running.waitFor(1, TimeUnit.SECONDS)) {
        running.destroy();
        if (!running.waitFor(10, TimeUnit.SECONDS)) {
          running.destroyForcibly();
        }
      }
    } catch (IOException | InterruptedException e) {
      running.destroyForcibly();
    }
    left.forEach(ProcessHandle::destroyForcibly);
    process = null;
    kind = "";
  }
}
