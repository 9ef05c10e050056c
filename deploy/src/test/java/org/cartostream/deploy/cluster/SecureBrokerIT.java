package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultSaslConfig;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.AnswerFeed;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.broker.rabbitmq.RabbitMqNode;
import org.cartostream.deploy.certificate.CertificateAuthority;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Role;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.spec.ClusterSpec;
import org.cartostream.deploy.spec.PasswordFiles;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who gets past a secured cluster's RabbitMQ, and what they can do there. */
class SecureBrokerIT {

  private static final Duration SOON = Duration.ofSeconds(120);
  private static final BrokerSettings DEFAULTS = BrokerSettings.defaults();

  @TempDir private static Path folder;

  private static Cluster cluster;
  private static ClusterServers servers;

  @BeforeAll
  static void startTheBrokerAlone() throws Exception {
    RabbitMqNode.missing().ifPresent(why -> Assumptions.abort(why));
    ClusterHome home = new ClusterHome(folder.resolve("cluster"));
    ClusterSpec clusterSpec = ClusterSpec.onThisMachine(1, true, 256);
    home.claim();
    home.create(clusterSpec);
    servers = new ClusterServers(home, clusterSpec);
    servers.writeFiles(
        new BrokerUsers()
            .withService(new PasswordFiles(home.secrets()).password(BrokerUsers.SERVICE)));
    cluster = Cluster.at(home);
    ServerProcess broker =
        servers.daemons().stream().filter(d -> d.role() == Role.BROKER).findFirst().orElseThrow();
    broker.start();
    await().atMost(SOON).until(broker::isListening);
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.down();
    }
  }

  @Test
  void letsARobotPublishItsReadingsAndTakeItsAnswers() throws Exception {
    Collector service = new Collector();
    Collector robot = new Collector();
    try (BrokerConnection topology = open(cluster.access().brokerForService(DEFAULTS));
        BrokerConnection gateway = open(cluster.access().brokerForRobot("good", DEFAULTS))) {
      topology.subscribeToReadings(10, service);
      gateway.subscribeToAnswers("good", 10, robot);

      gateway.publish(end("good"));
      await().atMost(SOON).until(() -> service.received.contains("good"));
      topology.publish(
          new Envelope("good", 1, 1, 0, new PoseMessage(Pose.ORIGIN, Correction.NONE)));
      await().atMost(SOON).until(() -> robot.received.contains("good"));
      gateway.deleteAnswerQueues("good");
    }
  }

  @Test
  void getsToKnowTwoRobotsAtATime() {
    List.of("castor", "pollux").stream()
        .map(
            robot ->
                CompletableFuture.supplyAsync(
                    () -> cluster.access().brokerForRobot(robot, DEFAULTS)))
        .toList()
        .forEach(known -> open(known.join()).close());
  }

  /** Said before Storm starts, which would end the process. */
  @Test
  void refusesAServiceInARobotsName() throws Exception {
    try (BrokerConnection topology = open(cluster.access().brokerForService(DEFAULTS))) {
      assertThat(topology.isUp()).as("its queue is there").isTrue();
      ServiceSettings settings =
          new ServiceSettings(
              Settings.defaults(FilterSettings.class),
              cluster.access().brokerForRobot("usurper", DEFAULTS),
              Settings.defaults(TopologySettings.class));
      assertThatThrownBy(() -> LocalService.start(settings))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("ACCESS_REFUSED")
          .hasMessageContaining("'usurper'");
    }
  }

  @Test
  void refusesAClientWithoutTls() {
    BrokerSettings plain =
        DEFAULTS.withUri(
            cluster.access().brokerForService(DEFAULTS).uri().replace("amqps:", "amqp:"));
    assertThatThrownBy(() -> open(plain)).isInstanceOf(BrokerException.class);
  }

  @Test
  void refusesACertificateOfAnotherAuthority() {
    Path strangers = folder.resolve("stranger");
    TlsFolder authority = new TlsFolder(folder.resolve("other-authority"));
    CertificateAuthority.create(authority, authority)
        .issue(new TlsFolder(strangers), "stranger", "");
    BrokerSettings right = cluster.access().brokerForService(DEFAULTS);

    assertThatThrownBy(() -> open(right.withTls(strangers.toString())))
        .as("it does not know the broker, either")
        .isInstanceOf(BrokerException.class)
        .hasMessageStartingWith("TLS with the broker at 127.0.0.1:");

    replace(strangers.resolve("ca.pem"), Path.of(right.tls()).resolve("ca.pem"));
    assertThatThrownBy(() -> open(right.withTls(strangers.toString())))
        .as("the broker does not know it")
        .isInstanceOf(BrokerException.class);
  }

  @Test
  void refusesAClientWithoutACertificate() throws IOException {
    Path trusting = Files.createDirectories(folder.resolve("trusting"));
    BrokerSettings right = cluster.access().brokerForService(DEFAULTS);
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
    ConnectionFactory factory =
        AmqpConnections.factory(cluster.access().brokerForRobot("remembering", DEFAULTS));
    factory.setSaslConfig(DefaultSaslConfig.PLAIN);
    assertThatThrownBy(() -> factory.newConnection("test")).isInstanceOf(IOException.class);
  }

  @Test
  void refusesACertificateInTheNameOfNobody() throws Exception {
    ClusterCertificates certificates = new ClusterCertificates(servers.home());
    certificates.issueForUser("ghost");
    BrokerSettings right = cluster.access().brokerForRobot("alive", DEFAULTS);
    assertThatThrownBy(() -> open(right.withTls(certificates.of("ghost").folder().toString())))
        .isInstanceOf(BrokerException.class)
        .hasMessageEndingWith("refuses the user name or the password");
  }

  /** Whatever user and password it comes with: it is the one whose name is in it. */
  @Test
  void takesAStolenCertificateForNobodyButItsOwner() throws Exception {
    BrokerSettings victim = cluster.access().brokerForRobot("victim", DEFAULTS);
    String stolen = cluster.access().brokerForRobot("mallory", DEFAULTS).tls();
    BrokerSettings masked = victim.withTls(stolen);
    try (BrokerConnection thief = open(masked)) {
      assertThatThrownBy(() -> thief.subscribeToAnswers("victim", 1, new Collector()))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("ACCESS_REFUSED")
          .hasMessageContaining("'mallory'");
    }
    denied(masked, channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
    BrokerSettings asService = cluster.access().brokerForService(DEFAULTS).withTls(stolen);
    denied(asService, channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
    denied(asService, c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
  }

  private static void publish(Channel channel, String exchange, String key) throws Exception {
    channel.confirmSelect();
    channel.basicPublish(exchange, key, null, new byte[10]);
    channel.waitForConfirms(SOON.toMillis());
  }

  @Test
  void refusesARobotThatDeclaresAnything() throws Exception {
    String own = BrokerNames.latestQueue("mallory");
    denied("mallory", c -> c.queueDeclare(own, true, false, false, null));
    denied("mallory", c -> c.queueBind(own, BrokerNames.ANSWERS, "mallory.map"));
    denied("mallory", c -> c.queueDelete(own));
    denied("mallory", c -> c.queueDeclare("", false, true, true, null));
  }

  private static Receiver hearer(Set<String> heard) {
    return new Receiver() {
      @Override
      public void received(Envelope envelope, Receipt receipt) {
        receipt.acknowledge();
        heard.add(envelope.robot());
      }

      @Override
      public void refused(Refusal.Reason why) {
        heard.add(why.toString());
      }
    };
  }

  @Test
  void letsAnObserverTakeEveryRobotsAnswersAndDoNothingElse() throws Exception {
    Map<String, String> environment = cluster.access().environmentForObserver("web");
    BrokerSettings settings =
        cluster.access().brokerForService(DEFAULTS).withTls(environment.get(TlsFolder.VARIABLE));
    try (BrokerConnection topology = open(cluster.access().brokerForService(DEFAULTS));
        Connection observer = AmqpConnections.factory(settings).newConnection("test")) {
      for (String robot : List.of("one", "two")) {
        topology.publish(
            new Envelope(robot, 1, 1, 0, new PoseMessage(Pose.ORIGIN, Correction.NONE)));
      }
      Channel channel = observer.createChannel();
      Set<String> seen = new TreeSet<>();
      await()
          .atMost(SOON)
          .until(
              () -> {
                GetResponse next = channel.basicGet(BrokerNames.observerQueue("web"), true);
                if (next != null) {
                  seen.add(next.getEnvelope().getRoutingKey());
                }
                return seen.containsAll(List.of("one.pose", "two.pose"));
              });
      Set<String> heard = new ConcurrentSkipListSet<>();
      BrokerSettings named =
          settings.withUri(
              settings.uri().replaceFirst("//[^@]*@", "//" + BrokerUsers.observer("web") + ":x@"));
      try (AnswerFeed feed = AnswerFeed.open(named, hearer(heard), BrokerListener.NONE)) {
        topology.publish(
            new Envelope("three", 1, 1, 0, new PoseMessage(Pose.ORIGIN, Correction.NONE)));
        await().atMost(SOON).until(() -> heard.contains("three"));
      }
    }
    cluster.access().brokerForRobot("victim", DEFAULTS);
    denied(settings, channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
    denied(settings, channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
    denied(settings, channel -> publish(channel, "", BrokerNames.latestQueue("victim")));
    denied(settings, c -> c.queueDeclare("cartostream.observer.more", true, false, false, null));
    denied(settings, c -> c.queueDelete(BrokerNames.observerQueue("web")));
    denied(settings, c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
    denied(settings, c -> c.basicGet(BrokerNames.certainQueue("victim"), true));
  }

  @Test
  void knowsARobotThatWasRemovedNoMore() throws Exception {
    BrokerSettings gone = cluster.access().brokerForRobot("gone", DEFAULTS);
    Path kept = Files.createDirectories(folder.resolve("kept"));
    for (String file : List.of("ca.pem", "certificate.pem", "key.pem")) {
      replace(kept.resolve(file), Path.of(gone.tls()).resolve(file));
    }
    try (Connection connection = AmqpConnections.factory(gone).newConnection("test")) {
      cluster.access().removeRobot("gone");
      await().atMost(SOON).until(() -> !connection.isOpen());
    } catch (AlreadyClosedException closed) {
      // By the broker.
    }
    assertThatThrownBy(() -> open(gone.withTls(kept.toString())))
        .isInstanceOf(BrokerException.class);
    try (Connection service =
        AmqpConnections.factory(cluster.access().brokerForService(DEFAULTS))
            .newConnection("test")) {
      for (String queue :
          List.of(BrokerNames.certainQueue("gone"), BrokerNames.latestQueue("gone"))) {
        assertThatThrownBy(() -> service.createChannel().queueDeclarePassive(queue))
            .hasStackTraceContaining("NOT_FOUND");
      }
    }
    assertThatThrownBy(() -> cluster.access().brokerForRobot("gone", DEFAULTS))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("a robot 'gone' was removed");
    assertThatThrownBy(() -> cluster.access().removeRobot("nobody"))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("knows no robot 'nobody'");
  }

  @Test
  void refusesARobotThatPublishesAsAnother() throws Exception {
    denied("mallory", channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
  }

  @Test
  void refusesAMessageThatNamesAnotherRobotThanItsSender() throws Exception {
    Collector service = new Collector();
    try (BrokerConnection topology = open(cluster.access().brokerForService(DEFAULTS));
        Connection mallory = connect("mallory")) {
      topology.subscribeToReadings(10, service);
      byte[] frame = new Codec(1 << 20).encode(end("victim"));
      mallory.createChannel().basicPublish(BrokerNames.READINGS, "service.mallory", null, frame);

      await().atMost(SOON).until(() -> !service.refused.isEmpty());
      assertThat(service.refused).containsExactly(BrokerRefusal.OTHER_SENDER);
      assertThat(service.received).doesNotContain("victim");
    }
  }

  @Test
  void refusesARobotThatReadsAnothersMap() throws Exception {
    try (BrokerConnection victim = open(cluster.access().brokerForRobot("victim", DEFAULTS))) {
      victim.subscribeToAnswers("victim", 1, new Collector());
      String queue = BrokerNames.latestQueue("victim");
      denied("mallory", channel -> channel.basicGet(queue, true));
      denied(
          "mallory",
          channel -> {
            String own = BrokerNames.latestQueue("mallory");
            channel.queueBind(own, BrokerNames.ANSWERS, BrokerNames.Answer.MAP.keyTo("victim"));
          });
      denied(
          "mallory",
          channel -> {
            String own = BrokerNames.latestQueue("mallory");
            channel.queueBind(own, BrokerNames.READINGS, "service.victim");
          });
      victim.deleteAnswerQueues("victim");
    }
  }

  @Test
  void refusesARobotThatAnswersOrDeclaresOrReadsForTheService() throws Exception {
    denied("mallory", c -> c.exchangeDeclare("mine", BuiltinExchangeType.FANOUT));
    denied("mallory", c -> c.queueDeclare("mine", false, true, true, null));
    denied("mallory", c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
    denied("mallory", channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
  }

  @Test
  void refusesAMessageOverTheSizeLimit() throws Exception {
    try (Connection connection = connect("talker")) {
      Channel channel = connection.createChannel();
      channel.confirmSelect();
      byte[] large = new byte[DEFAULTS.maxMessageBytes() + 1];
      assertThatThrownBy(
              () -> {
                channel.basicPublish(BrokerNames.READINGS, "service.talker", null, large);
                channel.waitForConfirms(SOON.toMillis());
              })
          .hasStackTraceContaining("PRECONDITION_FAILED");
    }
  }

  @Test
  void healthSaysForHowManyDaysTheCertificatesAreGood() {
    ClusterHealth health = new ClusterHealth(cluster, servers);
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

  /** Each costs the broker some 100 kB; others must still get in. */
  @Test
  void acceptsFewOf1500ConnectionsOfOneRobot() throws Exception {
    ConnectionFactory factory =
        AmqpConnections.factory(cluster.access().brokerForRobot("octopus", DEFAULTS));
    factory.setAutomaticRecoveryEnabled(false);
    List<Connection> accepted = new ArrayList<>();
    try {
      for (int i = 0; i < 1_500; i++) {
        try {
          accepted.add(factory.newConnection("test"));
        } catch (IOException refused) {
          assertThat(refused).hasStackTraceContaining("connection limit");
        }
      }
      assertThat(accepted).hasSize(BrokerUsers.ROBOT_CONNECTIONS);
      connect("modest").close();
    } finally {
      for (Connection each : accepted) {
        each.close();
      }
    }
  }

  @Test
  void acceptsFewOf2047ChannelsOfOneRobot() throws Exception {
    try (Connection connection = connect("hydra")) {
      assertThat(connection.getChannelMax()).isEqualTo(64);
      List<Channel> channels = new ArrayList<>();
      for (Channel next = connection.createChannel();
          next != null;
          next = connection.createChannel()) {
        channels.add(next);
      }
      assertThat(channels).hasSizeLessThanOrEqualTo(64);
    }
  }

  private interface Deed {
    void on(Channel channel) throws Exception;
  }

  /** As that robot, the deed ends with RabbitMQ's ACCESS_REFUSED. */
  private static void denied(String robot, Deed deed) throws Exception {
    denied(cluster.access().brokerForRobot(robot, DEFAULTS), deed);
  }

  private static void denied(BrokerSettings settings, Deed deed) throws Exception {
    try (Connection connection = AmqpConnections.factory(settings).newConnection("test")) {
      Channel channel = connection.createChannel();
      ThrowingCallable attempt = () -> deed.on(channel);
      assertThatThrownBy(attempt)
          .isInstanceOfAny(
              IOException.class, ShutdownSignalException.class, AlreadyClosedException.class)
          .hasStackTraceContaining("ACCESS_REFUSED");
    }
  }

  private static Connection connect(String robot) throws Exception {
    return AmqpConnections.factory(cluster.access().brokerForRobot(robot, DEFAULTS))
        .newConnection("test");
  }

  private static BrokerConnection open(BrokerSettings settings) {
    return BrokerConnection.open(settings, "test", BrokerListener.NONE);
  }

  private static Envelope end(String robot) {
    return new Envelope(robot, 1, 1, 0, new EndMessage(0));
  }

  private static final class Collector implements Receiver {
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private final Queue<Refusal> refused = new ConcurrentLinkedQueue<>();

    @Override
    public void received(Envelope envelope, Receipt receipt) {
      received.add(envelope.robot());
      receipt.acknowledge();
    }

    @Override
    public void refused(Refusal.Reason why) {
      refused.add(why.refusal());
    }
  }
}
