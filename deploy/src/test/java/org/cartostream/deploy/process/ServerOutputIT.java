package org.cartostream.deploy.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server prints that prints without end, and where there is no room for it. */
@Default
class ServerOutputIT {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** 4096 writes of 4 kB. */
  private static final long MAX_BYTES = 1 << 24;

  private final Host host =
      new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(HostRole.class), 1);

  @TempDir private Path folder;
  private ClusterHome home;
  private ClusterProcesses processes;
  private Path logs;

  @BeforeEach
  void prepare() throws Exception {
    home = new ClusterHome(folder);
    processes = new ClusterProcesses(home, host);
    logs = Files.createDirectories(home.of(host).resolve("logs"));
  }

  @AfterEach
  void kill() {
    await().atMost(SOON).until(() -> processes.kill().isEmpty());
  }

  /** Says its word, then very much, and then that it has done so. */
  private ServerProcess server(String word, Path done) {
    String script =
        "echo %s; head -c 30000000 /dev/zero; echo the end; touch '%s'; exec sleep 600"
            .formatted(word, done);
    Map.Entry<String, String> tag = home.processTag(host);
    return new ServerProcess(
        HostRole.NIMBUS,
        host,
        home.of(host),
        processes,
        1,
        List.of("sh", "-c", script),
        Map.of(tag.getKey(), tag.getValue()));
  }

  private long runToItsEnd(String word) {
    Path done = folder.resolve(word);
    ServerProcess server = server(word, done);
    server.start();
    await().atMost(SOON).until(() -> Files.exists(done));
    return server.pid();
  }

  @Test
  void isKeptUpToABoundAndThatOfTheStartBeforeToo() throws Exception {
    long pid = runToItsEnd("first");
    Path output = logs.resolve("nimbus.out.log");
    assertThat(Files.size(output)).isPositive().isLessThanOrEqualTo(MAX_BYTES);
    assertThat(ProcessHandle.of(pid)).as("the number that is noted").isPresent();
    assertThat(ProcessHandle.of(pid).get().info().commandLine().orElse("")).contains("sleep");

    await().atMost(SOON).until(() -> processes.kill().isEmpty());
    runToItsEnd("second");
    assertThat(Files.readString(logs.resolve("nimbus.out.log.1"))).startsWith("first\n");
    assertThat(Files.readString(output)).startsWith("second\n");
  }

  @Test
  void doesNotHoldItUpWhereThereIsNoRoom() throws Exception {
    boolean isMounted = run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", logs.toString());
    Assumptions.assumeTrue(isMounted, "a small disk cannot be mounted here: it needs root");
    try {
      runToItsEnd("first");
      assertThat(Files.readString(logs.resolve("nimbus.out.log"))).startsWith("first\n");
    } finally {
      kill();
      assertThat(run("umount", logs.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }
}
