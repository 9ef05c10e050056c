package org.cartostream.topology.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.settings.Settings;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Default;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

/** Starting and stopping. */
@Default
class LocalServiceIT {

  @Test
  void leavesNothingBehind() throws Exception {
    Set<Thread> threadsBefore = lastingThreads();
    Set<Path> filesBefore = temporaryFiles();
    String zookeeper;
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LocalService service = LocalService.start(settings(broker.uri()))) {
      zookeeper = service.zookeeper().servers();
      assertThat(accepts(zookeeper)).isTrue();
    }
    assertThat(accepts(zookeeper)).isFalse();
    await()
        .atMost(Duration.ofSeconds(120))
        .pollInSameThread()
        .untilAsserted(() -> assertThat(lastingThreads()).isSubsetOf(threadsBefore));
    assertThat(temporaryFiles()).isSubsetOf(filesBefore);
  }

  @Test
  void doesNotStartWithoutABroker() {
    Set<Path> filesBefore = temporaryFiles();
    assertThatThrownBy(() -> LocalService.start(settings("amqp://guest:guest@127.0.0.1:1")))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("127.0.0.1:1");
    assertThat(temporaryFiles()).isSubsetOf(filesBefore);
  }

  private static ServiceSettings settings(String brokerUri) {
    return new ServiceSettings(
        Settings.defaults(FilterSettings.class),
        BrokerSettings.defaults().withUri(brokerUri),
        Settings.defaults(TopologySettings.class));
  }

  /** Those that would keep the JVM alive. */
  private static Set<Thread> lastingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.isAlive() && !thread.isDaemon())
        .collect(Collectors.toSet());
  }

  private static Set<Path> temporaryFiles() {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean accepts(String address) {
    String[] parts = address.split(":");
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(parts[0], Integer.parseInt(parts[1])), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
