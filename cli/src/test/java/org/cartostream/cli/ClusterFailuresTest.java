package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.cli.cluster.ClusterHome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on while a cluster's servers are killed, one after the other, and started again. */
class ClusterFailuresTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir private Path folder;

  private Path home;
  private Cluster cluster;

  @BeforeEach
  void up() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    home = folder.resolve("cluster");
    Cartostream up =
        Cartostream.run("cluster", "up", "--home", home, "--slots", 1, "--worker-heap", 256);
    assertThat(up.err()).isEmpty();
    cluster = Cluster.at(ClusterHome.of(home.toString()));
  }

  @AfterEach
  void down() {
    if (cluster != null) {
      cluster.down();
    }
  }

  @Test
  void nothingIsLostWhenNimbusBrokerAndZooKeeperAreKilledAndStartedAgain() throws Exception {
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
    await().atMost(SOON).until(() -> workersHaveSaid(" begins"));

    for (String server : new String[] {"nimbus", "broker", "zookeeper"}) {
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

  private boolean workersHaveSaid(String words) {
    try {
      for (Path log : cluster.logs()) {
        if (log.getFileName().toString().startsWith("replay-")
            && Files.readString(log).contains(words)) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
