package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storm's own folder is on a small disk, which is full for longer than Storm waits for a worker's
 * heartbeat: no worker ends, and nothing is restored.
 */
@Nightly(cluster = true)
class FullStormDiskIT {

  /** Storm's {@code supervisor.worker.timeout.secs} is 30. */
  private static final Duration FULL = Duration.ofSeconds(35);

  @TempDir private Path disk;
  @TempDir private Path checkpoints;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "there is no /dev/shm");
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk.toString());
    Assumptions.assumeTrue(isMounted, "a small disk cannot be mounted here: it needs root");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }

  private Path local() {
    return disk.resolve("local");
  }

  private void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      byte[] block = new byte[1 << 10];
      for (int i = 0; i < 1 << 17; i++) {
        out.write(block);
      }
      throw new IllegalStateException("the disk took 128 MB");
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  private static Set<Long> pids(TestCluster cluster) {
    return cluster.workers().stream().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  /** Where the heartbeats of all workers are kept in memory. */
  private List<Path> heartbeats() throws IOException {
    try (Stream<Path> workers = Files.list(local().resolve("workers"))) {
      return workers
          .map(worker -> worker.resolve("heartbeats"))
          .filter(Files::isSymbolicLink)
          .toList();
    }
  }

  private Set<Path> inMemory() throws IOException {
    Set<Path> all = new TreeSet<>();
    for (Path each : heartbeats()) {
      all.add(Files.readSymbolicLink(each));
    }
    return all;
  }

  @Test
  void workersLiveOnAndTheirHeartbeatsGoWithThem() throws Exception {
    List<Reading> readings = Drive.readings(51, 60);
    try (SubmittedService service =
        SubmittedService.start(
            Map.of("tasks", "2", "workers", "2"),
            Map.of("everySeconds", "1", "folder", checkpoints.toString()),
            Map.of(
                Config.STORM_LOCAL_DIR,
                local().toString(),
                DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN_ENABLE,
                true,
                DaemonConfig.STORM_RESOURCE_ISOLATION_PLUGIN,
                InMemoryHeartbeatLauncher.class.getName()),
            Map.of())) {
      TestCluster cluster = service.cluster();
      service.withRobot(
          "r1",
          robot -> {
            robot.drive(readings, 1, 20);
            Set<Long> workers = pids(cluster);
            Set<Path> inMemory = inMemory();
            assertThat(workers).hasSize(2);
            assertThat(inMemory).hasSize(2).allMatch(each -> each.startsWith("/dev/shm"));

            fill();
            robot.drive(readings, 21, 30);
            await()
                .during(FULL)
                .atMost(FULL.multipliedBy(2))
                .until(() -> pids(cluster), workers::equals);
            robot.drive(readings, 31, 40);
            assertThat(pids(cluster)).isEqualTo(workers);
            Files.delete(disk.resolve("filler"));
            robot.drive(readings, 41, readings.size());
            robot.end(readings.size());

            assertThat(robot.answers().result())
                .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
            assertThat(robot.answers().report().recovery().times()).isZero();
            assertThat(pids(cluster)).isEqualTo(workers);

            cluster.killWorkers();
            await()
                .atMost(SubmittedService.LONG)
                .until(() -> inMemory.stream().noneMatch(Files::exists));
            await()
                .atMost(SubmittedService.LONG)
                .ignoreExceptions() // Storm makes and deletes folders meanwhile.
                .until(() -> inMemory().size() == 2);
          });
    }
    Set<Path> left = inMemory();
    assertThat(left).as("nobody has cleaned up after them").hasSize(2);
    assertThat(run("sh", "-c", InMemoryHeartbeatLauncher.deletion(local()))).isTrue();
    assertThat(left).noneMatch(Files::exists);
  }
}
