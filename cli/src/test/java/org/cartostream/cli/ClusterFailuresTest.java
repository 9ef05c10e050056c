package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.cartostream.topology.submission.Nimbus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on while a cluster's servers are killed, one after the other, and started again. */
class ClusterFailuresTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private static Path folder;

  private static Path home;
  private static Cluster cluster;

  @BeforeAll
  static void up() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    home = folder.resolve("cluster");
    Cartostream up =
        Cartostream.run("cluster", "up", "--home", home, "--slots", 3, "--worker-heap", 256);
    assertThat(up.err()).isEmpty();
    cluster = Cluster.at(ClusterHome.of(home.toString()));
  }

  @AfterAll
  static void down() {
    if (cluster != null) {
      cluster.down();
    }
  }

  @Test
  void nothingIsLostWhenBrokerZooKeeperAndNimbusAreKilledAndStartedAgain() throws Exception {
    CompletableFuture<Cartostream> replay =
        CompletableFuture.supplyAsync(
            () ->
                Cartostream.run(
                    "replay",
                    Logs.OFFICE,
                    "--cluster",
                    home,
                    "--particles",
                    8,
                    "--rate",
                    5,
                    "--out",
                    folder.resolve("disturbed")));
    await().atMost(SOON).until(() -> workersHaveSaid("robot office, run .* begins"));

    for (String server : new String[] {"broker", "zookeeper", "nimbus"}) {
      assertThat(replay).as("still running when %s is killed", server).isNotDone();
      kill(server);
      assertThat(cluster.revive()).contains(server + " on here");
    }

    Cartostream ended = replay.get(120, TimeUnit.SECONDS);
    assertThat(ended.out()).as(ended.err()).contains("0 refused, 0 skipped, 0 lost");
    Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--engine",
        "serial",
        "--particles",
        8,
        "--out",
        folder.resolve("undisturbed"));
    assertThat(folder.resolve("disturbed/trajectory.tum"))
        .hasSameBinaryContentAs(folder.resolve("undisturbed/trajectory.tum"));
  }

  @Test
  void theFilterGoesOnWhenAMatchersWorkerIsKilled() throws Exception {
    CompletableFuture<Cartostream> replay =
        CompletableFuture.supplyAsync(
            () ->
                Cartostream.run(
                    "replay",
                    Logs.OFFICE,
                    "--cluster",
                    home,
                    "--workers",
                    3,
                    "--particles",
                    20,
                    "--rate",
                    6,
                    "--robot",
                    "orphan",
                    "--reference",
                    Logs.OFFICE_REFERENCE,
                    "--set",
                    "topology.readingTimeoutSeconds=50",
                    "--out",
                    folder.resolve("orphan")));
    // With the second map the run is past its first reading, whose loss is a run's end.
    Path map = folder.resolve("orphan/map.pgm");
    await().atMost(SOON).until(() -> Files.exists(map));
    FileTime first = Files.getLastModifiedTime(map);
    await().atMost(SOON).until(() -> !Files.getLastModifiedTime(map).equals(first));
    String slot = slotWithNothingButParticles();
    ProcessHandle worker = workerAt(slot.substring(slot.indexOf(':') + 1));
    assertThat(replay).isNotDone();
    worker.destroyForcibly();

    Cartostream ended = replay.get(150, TimeUnit.SECONDS);
    assertThat(ended.out()).as(ended.err()).contains("320 processed, 0 refused, 0 skipped, 0 lost");
    assertThat(ended.out()).contains("particles with a process that died");
    assertThat(metres(ended)).isLessThan(2 * metres(undisturbed()));
  }

  private static Cartostream undisturbed() {
    return Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--engine",
        "serial",
        "--particles",
        20,
        "--robot",
        "orphan",
        "--reference",
        Logs.OFFICE_REFERENCE,
        "--out",
        folder.resolve("not-orphan"));
  }

  /** The ATE that the summary names. */
  private static double metres(Cartostream ended) {
    Matcher matcher = Pattern.compile("ATE[^0-9]*([0-9.]+) m").matcher(ended.out());
    assertThat(matcher.find()).as(ended.out()).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  /** What else is in a process dies with it: the dispatcher's and the publisher's may not. */
  private static String slotWithNothingButParticles() throws Exception {
    Map<String, Set<String>> bySlot = new TreeMap<>();
    for (Nimbus.Task task : cluster.nimbus().tasks("replay-orphan")) {
      bySlot.computeIfAbsent(task.slot(), slot -> new TreeSet<>()).add(task.component());
    }
    return bySlot.entrySet().stream()
        .filter(slot -> slot.getValue().contains("Matchers"))
        .filter(slot -> !slot.getValue().contains("Dispatcher"))
        .filter(slot -> !slot.getValue().contains("Publisher"))
        .filter(slot -> !slot.getValue().contains("Robots"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such slot: " + bySlot))
        .getKey();
  }

  private static ProcessHandle workerAt(String port) {
    return cluster.processes().get("here").stream()
        .map(pid -> ProcessHandle.of(pid).orElseThrow())
        .filter(process -> isWorkerAt(port, process))
        .findFirst()
        .orElseThrow();
  }

  private static boolean isWorkerAt(String port, ProcessHandle process) {
    String line = process.info().commandLine().orElse("");
    return line.contains("-Dworker.port=" + port + " ") && !line.contains("LogWriter");
  }

  private boolean workersHaveSaid(String words) {
    Pattern pattern = Pattern.compile(words);
    return cluster.logs("replay-", 1000).stream().anyMatch(line -> pattern.matcher(line).find());
  }

  private void kill(String server) {
    long pid =
        cluster.states().stream()
            .filter(state -> state.role().equals(server))
            .findFirst()
            .orElseThrow()
            .pid();
    ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    await().atMost(SOON).until(() -> !process.isAlive());
  }
}
