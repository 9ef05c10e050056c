package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default
class ClusterLogsIT {

  @TempDir private Path folder;
  private Path logs;
  private Cluster cluster;

  /** Of a cluster whose folder has the name that somebody may look for. */
  @BeforeEach
  void print() throws IOException {
    Path home = folder.resolve("service cluster");
    cluster = DeadCluster.in(home);
    logs = home.resolve("here/logs");
    Path worker = Files.createDirectories(logs.resolve("workers-artifacts/service-1-17/6700"));
    Files.writeString(worker.resolve("worker.log"), "one\ntwo\nthree\n");
    Files.writeString(worker.resolve("worker.err.log"), "");
    Files.writeString(logs.resolve("nimbus.log"), "leads\n");
  }

  @Test
  void showsTheEndOfWhatIsAskedFor() {
    assertThat(cluster.logs("service", 2))
        .containsExactly(
            "== " + logs.resolve("workers-artifacts/service-1-17/6700/worker.log"), "two", "three");
    assertThat(cluster.logs("here", 2)).isEmpty();
  }

  @Test
  void showsAllIfNothingIsAskedFor() {
    assertThat(cluster.logs("", 1))
        .containsExactly(
            "== " + logs.resolve("nimbus.log"),
            "leads",
            "== " + logs.resolve("workers-artifacts/service-1-17/6700/worker.log"),
            "three");
  }
}
