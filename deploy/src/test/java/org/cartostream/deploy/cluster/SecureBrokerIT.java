package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.deploy.cluster.SecuredBroker.DEFAULTS;
import static org.cartostream.deploy.cluster.SecuredBroker.SOON;
import static org.cartostream.deploy.cluster.SecuredBroker.end;
import static org.cartostream.deploy.cluster.SecuredBroker.open;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.deploy.certificate.CertificateAuthority;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.cluster.SecuredBroker.Collector;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Default;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets past a secured cluster's RabbitMQ. */
@Default(cluster = true)
class SecureBrokerIT {

  @TempDir private static Path folder;

  private static final OptionalInt NOBODY = OptionalInt.of(0);

  private static SecuredBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = SecuredBroker.started(folder);
  }

  @AfterAll
  static void stop() {
    if (broker != null) {
      broker.close();
    }
  }

  @Test
  void letsARobotPublishItsReadingsAndTakeItsAnswers() throws Exception {
    Collector service = new Collector();
    Collector robot = new Collector();
    try (BrokerConnection topology = open(broker.service());
        BrokerConnection gateway = open(broker.robot("good"))) {
      topology.subscribeToReadings(10, service);
      gateway.subscribeToAnswers("good", 10, robot);

      gateway.publish(end("good"));
      await().atMost(SOON).until(() -> service.received.contains("good"));
      topology.publish(
          new Envelope(
              "good", 1, 1, 0, new PoseMessage(new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0))));
      await().atMost(SOON).until(() -> robot.received.contains("good"));
      assertThat(broker.access().readersOfAnswers("good")).hasValue(1);
      gateway.deleteAnswerQueues("good");
      await().atMost(SOON).until(() -> broker.access().readersOfAnswers("good").equals(NOBODY));
    }
  }

  @Test
  void getsToKnowTwoRobotsAtATime() {
    List.of("castor", "pollux").stream()
        .map(robot -> CompletableFuture.supplyAsync(() -> broker.robot(robot)))
        .toList()
        .forEach(known -> open(known.join()).close());
  }

  /** Said before Storm starts, which would end the process. */
  @Test
  void refusesAServiceInARobotsName() throws Exception {
    try (BrokerConnection topology = open(broker.service())) {
      assertThat(topology.isUp()).as("its queue is there").isTrue();
      ServiceSettings settings =
          new ServiceSettings(
              Settings.defaults(FilterSettings.class),
              broker.robot("usurper"),
              Settings.defaults(TopologySettings.class));
      assertThatThrownBy(() -> LocalService.start(settings))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("ACCESS_REFUSED")
          .hasMessageContaining("'usurper'");
    }
  }

  @Test
  void refusesAClientWithoutTls() {
    BrokerSettings plain = DEFAULTS.withUri(broker.service().uri().replace("amqps:", "amqp:"));
    assertThatThrownBy(() -> open(plain)).isInstanceOf(BrokerException.class);
  }

  @Test
  void refusesACertificateOfAnotherAuthority() {
    Path strangers = folder.resolve("stranger");
    TlsFolder authority = new TlsFolder(folder.resolve("other-authority"));
    CertificateAuthority.create(authority, authority, "Another authority")
        .issue(new TlsFolder(strangers), "stranger", "");
    BrokerSettings right = broker.service();

    assertThatThrownBy(() -> open(right.withTls(strangers.toString())))
        .as("it does not know the broker, either")
        .isInstanceOf(BrokerException.class)
        .hasMessageStartingWith("TLS with the broker at 127.0.0.1:");

    replace(strangers.resolve("ca.pem"), Path.of(right.tls()).resolve("ca.pem"));
    assertThatThrownBy(() -> open(right.withTls(strangers.toString())))
        .as("the broker does not know it")
        .isInstanceOf(BrokerException.class);
  }

  /** Each looks for its issuer among those whom it trusts, by name, and sends what it finds. */
  @ParameterizedTest
  @ValueSource(strings = {"openssl", "python3"})
  void letsInWhoBringsARobotsCertificateByOpenSsl(String tool) throws Exception {
    BrokerSettings robot = broker.robot("foreign");
    URI server = URI.create(robot.uri());
    Map<String, String> commands =
        Map.of(
            "openssl",
            "openssl s_client -quiet -verify_return_error -x509_strict -verify_ip $1 -connect $1:$2"
                + " -CAfile ca.pem -cert certificate.pem -key key.pem",
            "python3",
            """
            python3 -c '
            import socket, ssl, sys
            context = ssl.create_default_context(cafile="ca.pem")
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            context.load_cert_chain("certificate.pem", "key.pem")
            with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as plain:
                with context.wrap_socket(plain, server_hostname=sys.argv[1]) as tls:
                    tls.sendall(sys.stdin.buffer.read())
                    sys.stdout.buffer.write(tls.recv(1000))
            ' $1 $2""");
    Process client =
        new ProcessBuilder(
                "sh",
                "-c",
                "command -v %1$s >/dev/null || exit 127; printf 'AMQP\\0\\0\\11\\1' | timeout 60 %2$s"
                    .formatted(tool, commands.get(tool)),
                "sh",
                server.getHost(),
                Integer.toString(server.getPort()))
            .directory(Path.of(robot.tls()).toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    Assumptions.assumeTrue(
        client.waitFor() != 127, tool + " is not here: apt-get install openssl python3");
    assertThat(said)
        .as("the broker greets, and offers to take the certificate")
        .contains("EXTERNAL");
  }

  @Test
  void refusesAClientWithoutACertificate() throws IOException {
    Path trusting = Files.createDirectories(folder.resolve("trusting"));
    BrokerSettings right = broker.service();
    replace(trusting.resolve("ca.pem"), Path.of(right.tls()).resolve("ca.pem"));
    assertThatThrownBy(() -> open(right.withTls(trusting.toString())))
        .isInstanceOf(BrokerException.class);
  }

  private static void replace(Path file, Path by) {
    try {
      Files.copy(by, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void asksForNoPassword() throws Exception {
    ConnectionFactory factory = AmqpConnections.factory(broker.robot("remembering"));
    factory.setSaslConfig(DefaultSaslConfig.PLAIN);
    assertThatThrownBy(() -> factory.newConnection("test")).isInstanceOf(IOException.class);
  }

  @Test
  void refusesACertificateInTheNameOfNobody() throws Exception {
    ClusterCertificates certificates = new ClusterCertificates(broker.home());
    certificates.issueForUser("ghost");
    BrokerSettings right = broker.robot("alive");
    assertThatThrownBy(() -> open(right.withTls(certificates.of("ghost").folder().toString())))
        .isInstanceOf(BrokerException.class)
        .hasMessageEndingWith("refuses the user name or the password");
  }

  @Test
  void knowsARobotThatWasRemovedNoMore() throws Exception {
    BrokerSettings gone = broker.robot("gone");
    Path kept = Files.createDirectories(folder.resolve("kept"));
    for (String file : List.of("ca.pem", "certificate.pem", "key.pem")) {
      replace(kept.resolve(file), Path.of(gone.tls()).resolve(file));
    }
    String password = new PasswordFiles(broker.home().secrets()).password("gone");
    List<String> queues = BrokerUsers.queuesOfAccount("gone", password);
    try (Connection connection = AmqpConnections.factory(gone).newConnection("test")) {
      for (String queue : queues) {
        connection.createChannel().queueDeclarePassive(queue); // It is there.
      }
      broker.access().removeRobot("gone");
      await().atMost(SOON).until(() -> !connection.isOpen());
    } catch (AlreadyClosedException closed) {
      // By the broker.
    }
    assertThatThrownBy(() -> open(gone.withTls(kept.toString())))
        .isInstanceOf(BrokerException.class);
    try (Connection service = AmqpConnections.factory(broker.service()).newConnection("test")) {
      for (String queue : queues) {
        assertThatThrownBy(() -> service.createChannel().queueDeclarePassive(queue))
            .hasStackTraceContaining("NOT_FOUND");
      }
    }
    assertThat(broker.access().readersOfAnswers("gone")).isEqualTo(NOBODY);
    assertThatThrownBy(() -> broker.robot("gone"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("a robot 'gone' was removed");
    assertThatThrownBy(() -> broker.access().removeRobot("nobody"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("knows no robot 'nobody'");
  }

  @Test
  void healthSaysForHowManyDaysTheCertificatesAreGood() {
    ClusterHealth health = broker.health();
    Instant now = Instant.now();
    assertThat(health.certificates(now))
        .satisfies(
            found -> {
              assertThat(found.isHealthy()).isTrue();
              assertThat(found.finding()).matches("good for 36[45] days");
            });
    assertThat(health.certificates(now.plus(Duration.ofDays(340))).isHealthy()).isFalse();
    assertThat(health.certificates(now.plus(Duration.ofDays(366))).finding())
        .isEqualTo("they have ended");
  }
}
