package org.cartostream.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.cartostream.broker.local.RabbitMqNode;
import org.cartostream.cli.Main;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a cluster that could not start: nothing. */
class ClusterTest {

  private static final int NO_PORT = 70_000;

  @TempDir private Path folder;

  @BeforeEach
  void needsRabbitMq() {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
  }

  @Test
  void leavesNothingBehindWhenAServerDoesNotStart() {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Plan plan = withBrokerAt(Ports.free(1).broker(), NO_PORT);
    List<String> said = new ArrayList<>();

    assertThatThrownBy(() -> Cluster.up(home, plan, said::add, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("broker on here");

    assertThat(said)
        .singleElement()
        .asString()
        .startsWith("zookeeper on here listens at 127.0.0.1");
    assertThat(new Leftovers(home, plan.hosts().get(0)).pids()).isEmpty();
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void leavesNothingBehindWhenItsStartIsInterrupted() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "cluster",
                "up",
                "--home",
                home.folder().toString())
            .redirectErrorStream(true);
    command.environment().remove("JAVA_TOOL_OPTIONS"); // Of it, Java says a word.
    Process up = command.start();
    try (BufferedReader said = up.inputReader()) {
      assertThat(said.readLine()).startsWith("zookeeper on here listens at 127.0.0.1");
      up.toHandle().destroy(); // SIGTERM; what it has said can still be read

      assertThat(said.lines().toList()).last().asString().startsWith("cartostream: interrupted");
      assertThat(up.waitFor()).isEqualTo(128 + 15);
    } finally {
      up.destroyForcibly();
      if (home.exists()) {
        Cluster.at(home).down();
      }
    }
    assertThat(new Leftovers(home, withBrokerAt(1, 1).hosts().get(0)).pids()).isEmpty();
    assertThat(home.folder()).doesNotExist();
  }

  @Test
  void saysWhyItDidNotStartAlthoughAHostCannotBeClearedAway() {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Plan alone = withBrokerAt(Ports.free(1).broker(), NO_PORT);
    List<Host> hosts = new ArrayList<>(alone.hosts());
    hosts.add(
        new Host("no-such", Host.Reach.NAMESPACE, "", "192.0.2.1", EnumSet.of(Role.SUPERVISOR), 1));
    Plan plan = new Plan(hosts, alone.ports(), false, 256);

    assertThatThrownBy(() -> Cluster.up(home, plan, word -> {}, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("broker on here")
        .hasMessageContaining("something may be left of the cluster on 1 of 2 hosts (no-such");

    assertThat(new Leftovers(home, hosts.get(0)).pids()).isEmpty();
    assertThat(home.planFile()).as("to ask again for its end").exists();
  }

  @Test
  void takesAnotherProcessOfTheSameNumberForNoServer() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Plan plan = withBrokerAt(1, 1);
    home.claim();
    Daemon nimbus =
        new Layout(home, plan)
            .daemons().stream().filter(d -> d.role() == Role.NIMBUS).findFirst().orElseThrow();
    Files.createDirectories(nimbus.folder());
    Files.writeString(nimbus.folder().resolve("nimbus.pid"), ProcessHandle.current().pid() + "\n");

    assertThat(nimbus.pid()).isZero();
  }

  @Test
  void refusesAPortThatSomebodyElseListensAt() throws Exception {
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Plan plan = withBrokerAt(other.getLocalPort(), Ports.free(1).brokerTools());

      assertThatThrownBy(() -> Cluster.up(home, plan, word -> {}, () -> false))
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

  private static Plan withBrokerAt(int port, int tools) {
    Ports free = Ports.free(1);
    Ports ports =
        new Ports(
            free.zookeeper(),
            port,
            tools,
            free.brokerNames(),
            free.brokerMetrics(),
            free.nimbus(),
            free.supervisor(),
            free.slots());
    Host host = new Host("here", Host.Reach.HERE, "", "127.0.0.1", EnumSet.allOf(Role.class), 1);
    return new Plan(List.of(host), ports, false, 256);
  }
}
