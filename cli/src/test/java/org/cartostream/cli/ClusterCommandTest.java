package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster on this machine, from its first process to its last. */
class ClusterCommandTest {

  @TempDir private static Path folder;

  private static Path home;

  @BeforeAll
  static void up() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    home = folder.resolve("cluster");
    Cartostream up =
        Cartostream.run("cluster", "up", "--secure", "--home", home, "--worker-heap", 256);
    assertThat(up.err()).isEmpty();
    assertThat(up.out()).contains("the cluster is up, with 2 slots; its folder is " + home);
  }

  @AfterAll
  static void downLeavesNothingBehind() {
    if (home == null) {
      return;
    }
    Cluster cluster = Cluster.at(ClusterHome.of(home.toString()));
    assertThat(cluster.processes().get("here")).hasSizeGreaterThanOrEqualTo(4);

    assertThat(Cartostream.run("cluster", "down", "--home", home).exitCode()).isZero();

    assertThat(cluster.processes().get("here")).isEmpty();
    assertThat(cluster.states()).noneMatch(Cluster.State::listens);
    assertThat(home).doesNotExist();
  }

  @Test
  void replaysToTheSameBytesAsTheSerialFilter() throws Exception {
    Path byCluster = folder.resolve("by-cluster");
    Path bySerial = folder.resolve("by-serial");
    Path log = Logs.OFFICE;

    Cartostream replay =
        Cartostream.run(
            "replay",
            log,
            "--cluster",
            home,
            "--workers",
            2,
            "--particles",
            8,
            "--limit",
            150,
            "--out",
            byCluster);
    assertThat(replay.out()).contains("150 processed, 0 refused, 0 skipped, 0 lost");
    Cartostream.run(
        "replay", log, "--engine", "serial", "--particles", 8, "--limit", 150, "--out", bySerial);

    assertThat(byCluster.resolve("trajectory.tum"))
        .hasSameBinaryContentAs(bySerial.resolve("trajectory.tum"));
    assertThat(byCluster.resolve("map.pgm")).hasSameBinaryContentAs(bySerial.resolve("map.pgm"));
    assertThat(loadedByWorkers()).contains("amqp-client=5.37.0", "storm=2.8.3");
    assertThat(Cartostream.run("topologies", "--home", home).out()).startsWith("no topology");
  }

  private static String loadedByWorkers() throws Exception {
    for (Path log : Cluster.at(ClusterHome.of(home.toString())).logs()) {
      String text = Files.readString(log);
      if (log.getFileName().toString().startsWith("replay-office-") && text.contains("loaded: ")) {
        return text;
      }
    }
    return "";
  }

  @Test
  void spreadsTheTasksOfASubmittedServiceOverTwoProcesses() {
    Cartostream first = Cartostream.run("submit", "--home", home, "--name", "mine", "--workers", 2);
    assertThat(first.err()).isEmpty();
    await().atMost(Duration.ofSeconds(60)).until(() -> matchers().size() == 2);
    assertThat(matchers()).doesNotHaveDuplicates();

    Cartostream second = Cartostream.run("submit", "--home", home, "--name", "other");
    assertThat(second.complaint())
        .isEqualTo("the cluster has 0 free slots of 2, and topology.workers is 1");
    assertThat(Cartostream.run("kill", "--home", home, "nobody").complaint())
        .startsWith("nobody: Nimbus refuses");
    assertThat(Cartostream.run("kill", "--home", home, "mine").out()).contains("killed mine");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Cartostream.run("topologies", "--home", home).out().startsWith("no topology"));
  }

  /** Where the matchers run. */
  private static List<String> matchers() {
    return Cartostream.run("topologies", "--home", home)
        .out()
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("Matchers at "))
        .toList();
  }

  @Test
  void tellsWhichServersRun() {
    Cartostream status = Cartostream.run("cluster", "status", "--home", home);
    assertThat(status.exitCode()).isZero();
    for (String server : List.of("zookeeper", "broker", "nimbus", "supervisor")) {
      assertThat(status.out()).containsPattern(server + " +here +127.0.0.1:\\d+ +process \\d+");
    }
    assertThat(Cartostream.run("cluster", "up", "--home", home).complaint())
        .contains("there is a cluster in " + home + " already");
  }
}
