package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ClusterProcesses;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterPorts;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a cluster that could not start: nothing. */
@Default(cluster = true)
class ClusterIT {

  private static final int NO_PORT = 70_000;

  @TempDir private Path folder;

  @BeforeEach
  void needsRabbitMq() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
  }

  @Test
  void leavesNothingBehindWhenAServerDoesNotStart() {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ClusterSpec clusterSpec = withBrokerAt(ClusterPorts.free(1).broker(), NO_PORT);
    List<String> said = new ArrayList<>();

    assertThatThrownBy(() -> Cluster.up(home, clusterSpec, said::add, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("broker on here");

    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("zookeeper on here listens at 127.0.0.1");
    assertThat(new ClusterProcesses(home, clusterSpec.hosts().get(0)).pids()).isEmpty();
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void saysWhyItDidNotStartAlthoughAHostCannotBeClearedAway() {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ClusterSpec alone = withBrokerAt(ClusterPorts.free(1).broker(), NO_PORT);
    List<Host> hosts = new ArrayList<>(alone.hosts());
    hosts.add(
        new Host(
            "no-such", Host.Reach.NAMESPACE, "", "192.0.2.1", EnumSet.of(HostRole.SUPERVISOR), 1));
    ClusterSpec clusterSpec = new ClusterSpec(hosts, alone.ports(), false, 256, "");

    assertThatThrownBy(() -> Cluster.up(home, clusterSpec, word -> {}, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("broker on here")
        .hasMessageContaining("something may be left of the cluster on 1 of 2 hosts (no-such");

    assertThat(new ClusterProcesses(home, hosts.get(0)).pids()).isEmpty();
    assertThat(home.planFile()).as("to ask again for its end").exists();
  }

  @Test
  void takesAnotherProcessOfTheSameNumberForNoServer() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ClusterSpec clusterSpec = withBrokerAt(1, 1);
    home.claim();
    ServerProcess nimbus =
        new ClusterServers(home, clusterSpec)
            .daemons().stream().filter(d -> d.role() == HostRole.NIMBUS).findFirst().orElseThrow();
    Files.createDirectories(nimbus.folder());
    Files.writeString(nimbus.folder().resolve("nimbus.pid"), ProcessHandle.current().pid() + "\n");

    assertThat(nimbus.pid()).isZero();
  }

  @Test
  void refusesAPortThatSomebodyElseListensAt() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ClusterSpec clusterSpec =
          withBrokerAt(other.getLocalPort(), ClusterPorts.free(1).brokerTools());

      assertThatThrownBy(() -> Cluster.up(home, clusterSpec, word -> {}, () -> false))
          .hasMessage(
              "somebody listens at 127.0.0.1:%d already, where this cluster's broker is to listen"
                  .formatted(other.getLocalPort()));
    }
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void leavesAFolderAloneInWhichSomethingElseIs() throws Exception {
    Path precious = Files.writeString(folder.resolve("thesis.tex"), "twelve years");
    ClusterHome home = new ClusterHome(folder);

    assertThatThrownBy(() -> Cluster.up(home, withBrokerAt(1, 1), word -> {}, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining(folder + " is not empty");

    assertThat(precious).hasContent("twelve years");
  }

  private static ClusterSpec withBrokerAt(int port, int tools) {
    ClusterPorts free = ClusterPorts.free(1);
    ClusterPorts clusterPorts =
        new ClusterPorts(
            free.zookeeper(),
            port,
            tools,
            free.brokerNames(),
            free.brokerMetrics(),
            free.nimbus(),
            free.supervisor(),
            free.slots());
    Host host =
        new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(HostRole.class), 1);
    return new ClusterSpec(List.of(host), clusterPorts, false, 256, "");
  }
}
