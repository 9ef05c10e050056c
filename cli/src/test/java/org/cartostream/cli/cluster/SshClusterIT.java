package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.NetworkHosts;
import org.cartostream.cli.SshHosts;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secured cluster on two machines that share no file with this one, nor with each other. */
@Nightly(cluster = true)
class SshClusterIT {

  private static final String NAME = "ssh" + ProcessHandle.current().pid();

  @TempDir private Path folder;
  @TempDir private Path keys;

  @Test
  void isCopiedToOtherMachinesAndWorksThereAndLeavesNothingBehind() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    SshHosts.missing().ifPresent(why -> Assumptions.abort(why));
    Optional<NetworkHosts> network = NetworkHosts.up(keys, NAME, 2, 2);
    Assumptions.assumeTrue(
        network.isPresent(), "no network namespaces here (see above): needs root, ip");
    try (SshHosts hosts = SshHosts.start(network.get(), keys, folder)) {
      Path home = folder.resolve("cluster");
      Cartostream up =
          Cartostream.run(
              "cluster",
              "up",
              "--secure",
              "--worker-heap",
              256,
              "--home",
              home,
              "--hosts",
              hosts.file());
      assertThat(up.err()).isEmpty();
      Cluster cluster = Cluster.at(ClusterHome.of(home.toString()));
      try {
        assertThat(hosts.files(NAME + "-2").resolve("cluster/" + NAME + "-2/supervisor.pid"))
            .exists();
        assertThat(hosts.files(NAME + "-2").resolve("cluster/secrets")).doesNotExist();
        replaysToTheSameBytesAsTheSerialFilter(home);
        assertThat(cluster.logs("replay-", 1000)).anyMatch(line -> line.contains("loaded: "));
      } finally {
        Cartostream.run("cluster", "down", "--yes", "--home", home);
      }
      assertThat(cluster.processes().values()).allMatch(List::isEmpty);
      for (String host : List.of(NAME + "-1", NAME + "-2")) {
        assertThat(hosts.files(host)).as("what is left on %s", host).isEmptyDirectory();
      }
    }
  }

  private void replaysToTheSameBytesAsTheSerialFilter(Path home) throws Exception {
    Path byCluster = Files.createDirectories(keys.resolve("by-cluster"));
    Path bySerial = Files.createDirectories(keys.resolve("by-serial"));
    Cartostream replay =
        Cartostream.run(
            "replay",
            Logs.OFFICE,
            "--cluster",
            home,
            "--workers",
            2,
            "--particles",
            8,
            "--limit",
            60,
            "--out",
            byCluster);
    assertThat(replay.out())
        .as(replay.err())
        .contains("60 processed, 0 refused, 0 skipped, 0 lost");
    Cartostream.run(
        "replay",
        Logs.OFFICE,
        "--engine",
        "serial",
        "--particles",
        8,
        "--limit",
        60,
        "--out",
        bySerial);
    assertThat(byCluster.resolve("trajectory.tum"))
        .hasSameBinaryContentAs(bySerial.resolve("trajectory.tum"));
  }
}
