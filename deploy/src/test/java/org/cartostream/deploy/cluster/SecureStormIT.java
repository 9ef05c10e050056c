package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.certificate.CertificateAuthority;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.server.StormConfiguration;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.deploy.submission.Rebalance;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gets past a secured cluster's ZooKeeper, Nimbus and supervisor: three real processes. */
@Nightly(cluster = true)
class SecureStormIT {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int SHORT_MILLIS = 2_000;

  /** The first byte of a record that says why there is no connection: RFC 8446, section 5.1. */
  private static final int TLS_ALERT = 21;

  @TempDir private static Path folder;

  private static ClusterHome home;
  private static ClusterSpec clusterSpec;
  private static Cluster cluster;
  private static ClusterCertificates clusterCertificates;

  @BeforeAll
  static void startAllButTheBroker() throws Exception {
    home = new ClusterHome(folder.resolve("cluster"));
    clusterSpec = ClusterSpec.onThisMachine(1, true, 256);
    home.claim();
    home.create(clusterSpec);
    ClusterServers clusterServers = new ClusterServers(home, clusterSpec);
    clusterServers.writeFiles(
        new BrokerUsers()
            .withService(new PasswordFiles(home.secrets()).password(BrokerUsers.SERVICE)));
    cluster = Cluster.at(home);
    clusterCertificates = new ClusterCertificates(home);
    for (ServerProcess serverProcess : clusterServers.daemons()) {
      if (serverProcess.role() != HostRole.BROKER) {
        serverProcess.start();
        await().atMost(SOON).until(serverProcess::isListening);
      }
    }
    await().atMost(SOON).ignoreExceptions().until(() -> cluster.nimbus().supervisors() == 1);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.down();
    }
  }

  /** The servers that only the cluster's own certificates open. */
  private enum Door {
    ZOOKEEPER,
    NIMBUS,
    SUPERVISOR;

    int port() {
      return switch (this) {
        case ZOOKEEPER -> clusterSpec.ports().zookeeper();
        case NIMBUS -> clusterSpec.ports().nimbus();
        case SUPERVISOR -> clusterSpec.ports().supervisor();
      };
    }
  }

  @Test
  void letsTheClustersOwnClientsIn() throws Exception {
    Rebalance.request(cluster.zookeeper(), "some-topology", 2);
    try (CuratorFramework client = client(cluster.zookeeper())) {
      assertThat(client.getChildren().forPath("/")).contains("cartostream", "storm");
    }
    assertThat(cluster.nimbus().leader()).isEqualTo("127.0.0.1:" + Door.NIMBUS.port());
  }

  @ParameterizedTest
  @EnumSource
  void refusesAClientWithoutTls(Door door) throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
      refused(plain);
    }
  }

  @Test
  void refusesSessionsAndQuestionsWithoutTls() throws Exception {
    ZooKeeperAccess plain = ZooKeeperAccess.plain(cluster.zookeeper().servers());
    try (CuratorFramework client = plain.client(SHORT_MILLIS, SHORT_MILLIS, new RetryOneTime(1))) {
      client.start();
      assertThat(client.blockUntilConnected(SHORT_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
    }
    Nimbus nimbus =
        new Nimbus(
            StormConfiguration.client(
                home, new ClusterSpec(clusterSpec.hosts(), clusterSpec.ports(), false, 256, "")));
    assertThatThrownBy(nimbus::topologies)
        .isInstanceOf(NimbusException.class)
        .hasMessageStartingWith("Nimbus does not answer");
  }

  @ParameterizedTest
  @EnumSource
  void refusesAClientWithoutACertificate(Door door) throws Exception {
    refused(door, trusting("nobody-" + door));
  }

  @ParameterizedTest
  @EnumSource
  void refusesTheCertificateOfAnotherAuthority(Door door) throws Exception {
    TlsFolder authority = new TlsFolder(folder.resolve("other-" + door));
    TlsFolder stranger = new TlsFolder(folder.resolve("stranger-" + door));
    CertificateAuthority.create(authority, clusterCertificates.client(), "Another authority")
        .issue(stranger, "client", "127.0.0.1");
    refused(door, stranger);
  }

  @ParameterizedTest
  @EnumSource
  void refusesARobotsCertificateWhichOpensTheBrokerOnly(Door door) throws Exception {
    clusterCertificates.issueForUser("mallory");
    refused(door, clusterCertificates.of("mallory"));
  }

  @Test
  void keepsSecretsInFilesThatOnlyTheirOwnerMayRead() throws Exception {
    List<Path> secret =
        List.of(
            home.folder(),
            clusterCertificates.client().key(),
            clusterCertificates.clientStores().passwordFile(),
            new PasswordFiles(home.secrets()).file(BrokerUsers.SERVICE));
    for (Path file : secret) {
      assertThat(Files.getPosixFilePermissions(file))
          .as("%s", file)
          .allMatch(permission -> permission.name().startsWith("OWNER_"));
    }
    // Storm's settings hold the key stores' passwords, wherever it keeps them.
    for (String part : List.of("here/conf/storm.yaml", "here/tls", "here/local", "client")) {
      try (Stream<Path> files = Files.walk(home.folder().resolve(part))) {
        assertThat(files.filter(Files::isRegularFile).filter(each -> !isPublic(each)))
            .isNotEmpty()
            .allSatisfy(
                file ->
                    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .as("%s", file)
                        .endsWith("------"));
      }
    }
    String password = clusterCertificates.clientStores().password();
    assertThat(cluster.processes().get("here"))
        .map(pid -> ProcessHandle.of(pid).orElseThrow().info().commandLine().orElse(""))
        .noneMatch(line -> line.contains(password));
    assertThat(cluster.logs("", 10_000)).noneMatch(line -> line.contains(password));
  }

  /** The certificates of authorities. */
  private static boolean isPublic(Path file) {
    return file.endsWith("ca.pem") || file.endsWith("clients.pem");
  }

  /** Certificates that trust the cluster and show nothing. */
  private static TlsFolder trusting(String name) throws IOException {
    TlsFolder trusting = new TlsFolder(Files.createDirectories(folder.resolve(name)));
    Files.copy(
        clusterCertificates.client().authority(),
        trusting.authority(),
        StandardCopyOption.REPLACE_EXISTING);
    return trusting;
  }

  private static void refused(Door door, TlsFolder shown) throws Exception {
    try (Socket socket =
        shown
            .context()
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), door.port())) {
      refused(socket);
    }
  }

  /** The other side ends the connection, and says no more before than that it does. */
  private static void refused(Socket socket) throws IOException {
    socket.setSoTimeout(PATIENCE_MILLIS);
    assertThatThrownBy(
            () -> {
              socket.getOutputStream().write("srvr\n".getBytes(StandardCharsets.US_ASCII));
              int first = socket.getInputStream().read();
              if (first < 0 || (!(socket instanceof SSLSocket) && first == TLS_ALERT)) {
                throw new EOFException("refused");
              }
            })
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  private static CuratorFramework client(ZooKeeperAccess access) throws InterruptedException {
    CuratorFramework client = access.client(PATIENCE_MILLIS, PATIENCE_MILLIS, new RetryOneTime(1));
    client.start();
    assertThat(client.blockUntilConnected(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)).isTrue();
    return client;
  }
}
