package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.TopologyJar;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the processes of a cluster on one machine listen, asked of the kernel. */
@Nightly(cluster = true)
class ListeningIT {

  private static final Duration SOON = Duration.ofSeconds(120);

  /** 127.0.0.1, also as an address of IPv6, and ::1, in the words of {@code /proc/net/tcp}. */
  private static final Set<String> LOOPBACK =
      Set.of("0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000");

  private static final String LISTENS = "0A";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingListensBeyondThisMachine(boolean secure) throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    Assumptions.assumeTrue(Files.exists(Path.of("/proc/net/tcp")), "there is no /proc/net here");
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    Cluster cluster =
        Cluster.startHere(home, new ClusterOptions(secure, 256, false), 2, word -> {}, () -> false);
    try {
      BrokerSettings broker = BrokerSettings.defaults();
      cluster
          .nimbus()
          .submit(
              "listening",
              new ServiceSettings(
                  Settings.defaults(FilterSettings.class),
                  cluster.access().brokerForWorkers(broker),
                  Settings.build(TopologySettings.class, Map.of("tasks", "2", "workers", "2"))),
              TopologyJar.write(folder.resolve("topology.jar")));
      List<Integer> slots = home.plan().ports().slots();
      await().atMost(SOON).until(() -> ports(listeners(cluster)).containsAll(slots));

      assertThat(listeners(cluster))
          .hasSizeGreaterThanOrEqualTo(8)
          .allSatisfy(each -> assertThat(each).startsWith("127.0.0.1:"));
    } finally {
      cluster.down();
    }
  }

  /** The addresses and ports at which the cluster's processes listen. */
  private static Set<String> listeners(Cluster cluster) {
    Set<String> sockets = new TreeSet<>();
    for (long pid : cluster.processes().get("here")) {
      try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
        open.forEach(each -> sockets.add(target(each)));
      } catch (IOException gone) {
        // It has ended meanwhile.
      }
    }
    Set<String> listeners = new TreeSet<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : lines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+");
        if (fields[3].equals(LISTENS) && sockets.contains("socket:[" + fields[9] + "]")) {
          String[] at = fields[1].split(":");
          String address = LOOPBACK.contains(at[0]) ? "127.0.0.1" : at[0];
          listeners.add(address + ":" + Integer.parseInt(at[1], 16));
        }
      }
    }
    return listeners;
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closed) {
      return "";
    }
  }

  private static List<String> lines(Path table) {
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(table));
      lines.remove(0); // The heading.
      return lines;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Integer> ports(Set<String> listeners) {
    return listeners.stream()
        .map(each -> Integer.parseInt(each.substring(each.lastIndexOf(':') + 1)))
        .toList();
  }

  @Test
  void hostsThatOthersReachAreRefusedWithoutTls() throws Exception {
    Path hosts =
        Files.writeString(
            folder.resolve("hosts.yaml"),
            """
            reach: ssh
            hosts:
              - name: one
                address: 192.0.2.7
                roles: [zookeeper, broker, nimbus, supervisor]
                slots: 1
            """);
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    assertThatThrownBy(
            () ->
                Cluster.startOn(
                    home, new ClusterOptions(false, 256, false), hosts, word -> {}, () -> false))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("whoever reaches 192.0.2.7 may submit code")
        .hasMessageContaining("--secure")
        .hasMessageContaining("--force");
    assertThat(home.folder()).doesNotExist();
  }
}
