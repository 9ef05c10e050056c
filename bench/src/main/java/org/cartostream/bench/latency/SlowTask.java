package org.cartostream.bench.latency;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cartostream.run.exit.ExitException;

/**
 * Slows one task of a service in this process down: its thread shares one core with busy threads,
 * as if something else ran there, and may use no other. Owns these threads until it is closed.
 *
 * <p>Linux only: threads are pinned by {@code taskset}. Their numbers are those that the JVM prints
 * in a thread dump.
 */
final class SlowTask implements AutoCloseable {

  private static final Path TASKSET = Path.of("/usr/bin/taskset");
  private static final String NEIGHBOUR = "busy-neighbour-";
  private static final long MOST_START_SECONDS = 60;
  private static final long POLL_MILLIS = 200;
  private static final String DUMPED_ID = "\".* nid=(\\w+)";

  private final List<Thread> neighbours = new ArrayList<>();
  private volatile boolean over;

  private SlowTask() {}

  /** Why no task can be slowed down here; empty if one can. */
  static Optional<String> missing() {
    return Files.isExecutable(TASKSET)
        ? Optional.empty()
        : Optional.of("no " + TASKSET + " here (Linux, util-linux)");
  }

  /**
   * Slows the first task of a component down, once it has started.
   *
   * @param component its name in the topology, which the names of its threads have
   * @param count how many busy threads share its core: it gets one of so many parts, plus one
   */
  static SlowTask start(String component, int count) throws InterruptedException {
    String core = Integer.toString(Runtime.getRuntime().availableProcessors() - 1);
    SlowTask slowTask = new SlowTask();
    for (int i = 0; i < count; i++) {
      Thread neighbour = new Thread(slowTask::compute, NEIGHBOUR + i);
      neighbour.setDaemon(true);
      neighbour.start();
      slowTask.neighbours.add(neighbour);
    }
    try {
      pin("-" + component + "-executor\\[\\d+, \\d+]", core);
      for (Thread neighbour : slowTask.neighbours) {
        pin(neighbour.getName(), core);
      }
      return slowTask;
    } catch (IOException | JMException | RuntimeException e) {
      slowTask.close();
      throw ExitException.failed("no task can be slowed down: " + e.getMessage(), e);
    }
  }

  private void compute() {
    while (!over) {
      Thread.onSpinWait();
    }
  }

  private static void pin(String name, String core)
      throws IOException, JMException, InterruptedException {
    Process taskset =
        new ProcessBuilder(TASKSET.toString(), "-pc", core, Long.toString(nativeId(name)))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    if (taskset.waitFor() != 0) {
      throw new IOException(TASKSET + " cannot pin the thread " + name);
    }
  }

  /** The system's number of the first thread whose name ends so, once there is one. */
  private static long nativeId(String name) throws JMException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_START_SECONDS);
    while (System.nanoTime() < end) {
      Matcher thread = dumped(name);
      if (thread.find()) {
        return Long.decode(thread.group(1)); // With 0x until Java 20, decimal from then on.
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    throw new IllegalStateException("there is no thread " + name);
  }

  private static Matcher dumped(String name) throws JMException {
    Object dump =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "threadPrint",
                new Object[] {new String[0]},
                new String[] {String[].class.getName()});
    return Pattern.compile(name + DUMPED_ID).matcher((String) dump);
  }

  @Override
  public void close() {
    over = true;
  }
}
