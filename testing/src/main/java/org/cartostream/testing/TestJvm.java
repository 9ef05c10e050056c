package org.cartostream.testing;

import com.sun.management.OperatingSystemMXBean;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Main class of a JVM that runs test classes. A {@link TestLane} sends their names through a
 * socket, one after another, and each is answered by a {@link ClassResult}.
 */
public final class TestJvm {

  private static final int MAX_STACK_LINES = 12;

  private TestJvm() {}

  /**
   * Runs classes until the lane closes the connection; then exits, whatever threads are left.
   *
   * @param args the port of 127.0.0.1 at which the lane listens
   */
  public static void main(String[] args) throws IOException {
    ProcessHandle.current()
        .parent()
        .ifPresent(parent -> parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        LauncherSession session = LauncherFactory.openSession()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      while (true) {
        String className = in.readUTF();
        TestGroup group = TestGroup.valueOf(in.readUTF());
        System.err.println("=== " + className);
        run(session.getLauncher(), className, group).write(out);
      }
    } catch (EOFException e) {
      // The lane has no more classes.
    } catch (SocketException e) {
      System.err.println("=== the lane has gone: " + e.getMessage());
    }
    System.exit(0);
  }

  static ClassResult run(Launcher launcher, String className, TestGroup group) {
    Listener listener = new Listener();
    long started = System.nanoTime();
    long cpu = cpuNanos();
    launcher.execute(
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(className))
            .filters(TagFilter.includeTags(group.tags()))
            .build(),
        listener);
    double cpuSeconds = cpu < 0 ? Double.NaN : (cpuNanos() - cpu) / 1e9;
    return listener.result((System.nanoTime() - started) / 1e9, cpuSeconds);
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : -1;
  }

  /**
   * Listener that counts tests and keeps failures; called by several threads if tests run side by
   * side.
   */
  private static final class Listener implements TestExecutionListener {

    private final Set<String> counted = new HashSet<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private TestPlan plan;

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan started) {
      plan = started;
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
      skip(test, reason);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
      String reason = result.getThrowable().map(Throwable::getMessage).orElse("no reason given");
      switch (result.getStatus()) {
        case SUCCESSFUL -> {
          if (test.isTest()) {
            counted.add(test.getUniqueId());
          }
        }
        case ABORTED -> skip(test, reason);
        case FAILED -> {
          counted.add(test.getUniqueId());
          failures.add(name(test) + ": " + result.getThrowable().map(this::stack).orElse(reason));
        }
      }
    }

    /** Adds the reason for each test of a skipped class, as far as its tests are known. */
    private void skip(TestIdentifier test, String reason) {
      Set<String> tests =
          plan.getDescendants(test).stream()
              .filter(TestIdentifier::isTest)
              .map(TestIdentifier::getUniqueId)
              .collect(Collectors.toSet());
      if (tests.isEmpty()) {
        tests.add(test.getUniqueId());
      }
      for (String each : tests) {
        if (counted.add(each)) {
          skipped.add(reason);
        }
      }
    }

    private String name(TestIdentifier test) {
      return plan.getParent(test).map(parent -> parent.getDisplayName() + ".").orElse("")
          + test.getDisplayName();
    }

    private String stack(Throwable failure) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text, true));
      return Arrays.stream(text.toString().split("\n"))
          .filter(line -> !line.matches("\\s+at (java|jdk|org\\.junit|net\\.jqwik)[./].*"))
          .limit(MAX_STACK_LINES)
          .collect(Collectors.joining("\n"));
    }

    synchronized ClassResult result(double seconds, double cpuSeconds) {
      return new ClassResult(
          counted.size(), List.copyOf(skipped), List.copyOf(failures), seconds, cpuSeconds);
    }
  }
}
