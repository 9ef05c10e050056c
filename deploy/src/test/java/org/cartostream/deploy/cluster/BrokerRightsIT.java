package org.cartostream.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.deploy.cluster.SecuredBroker.DEFAULTS;
import static org.cartostream.deploy.cluster.SecuredBroker.SOON;
import static org.cartostream.deploy.cluster.SecuredBroker.end;
import static org.cartostream.deploy.cluster.SecuredBroker.open;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.connection.ResponseFeed;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.BrokerUsers;
import org.cartostream.deploy.cluster.SecuredBroker.Collector;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What those can do, and how much of it, who are let in by a secured cluster's RabbitMQ. */
@Nightly(cluster = true)
class BrokerRightsIT {

  @TempDir private static Path folder;

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

  /** Whatever user and password it comes with: it is the one whose name is in it. */
  @Test
  void takesAStolenCertificateForNobodyButItsOwner() throws Exception {
    BrokerSettings victim = broker.robot("victim");
    String stolen = broker.robot("mallory").tls();
    BrokerSettings masked = victim.withTls(stolen);
    try (BrokerConnection thief = open(masked)) {
      assertThatThrownBy(() -> thief.subscribeToAnswers("victim", 1, new Collector()))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("ACCESS_REFUSED")
          .hasMessageContaining("'mallory'");
    }
    broker.denied(masked, channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
    BrokerSettings asService = broker.service().withTls(stolen);
    broker.denied(asService, channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
    broker.denied(asService, c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
  }

  private static void publish(Channel channel, String exchange, String key) throws Exception {
    channel.confirmSelect();
    channel.basicPublish(exchange, key, null, new byte[10]);
    channel.waitForConfirms(SOON.toMillis());
  }

  @Test
  void refusesARobotThatDeclaresAnything() throws Exception {
    String own = BrokerNames.latestQueue("mallory");
    broker.denied("mallory", c -> c.queueDeclare(own, true, false, false, null));
    broker.denied("mallory", c -> c.queueBind(own, BrokerNames.ANSWERS, "mallory.map"));
    broker.denied("mallory", c -> c.queueDelete(own));
    broker.denied("mallory", c -> c.queueDeclare("", false, true, true, null));
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
    Map<String, String> environment = broker.access().environmentForObserver("web");
    BrokerSettings settings = broker.service().withTls(environment.get(TlsFolder.VARIABLE));
    try (BrokerConnection topology = open(broker.service());
        Connection observer = AmqpConnections.factory(settings).newConnection("test")) {
      for (String robot : List.of("one", "two")) {
        topology.publish(
            new Envelope(
                robot,
                1,
                1,
                0,
                new PoseMessage(new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0))));
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
      try (ResponseFeed feed =
          ResponseFeed.open(named, BrokerNames.EVERY_ANSWER, hearer(heard), BrokerListener.NONE)) {
        topology.publish(
            new Envelope(
                "three",
                1,
                1,
                0,
                new PoseMessage(new RobotPose(Pose.ORIGIN, Correction.NONE, 1, 0))));
        await().atMost(SOON).until(() -> heard.contains("three"));
      }
    }
    broker.robot("victim");
    broker.denied(settings, channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
    broker.denied(settings, channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
    broker.denied(settings, channel -> publish(channel, "", BrokerNames.latestQueue("victim")));
    broker.denied(
        settings, c -> c.queueDeclare("cartostream.observer.more", true, false, false, null));
    broker.denied(settings, c -> c.queueDelete(BrokerNames.observerQueue("web")));
    broker.denied(settings, c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
    broker.denied(settings, c -> c.basicGet(BrokerNames.certainQueue("victim"), true));
  }

  @Test
  void refusesARobotThatPublishesAsAnother() throws Exception {
    broker.denied("mallory", channel -> publish(channel, BrokerNames.READINGS, "service.victim"));
  }

  @Test
  void refusesAMessageThatNamesAnotherRobotThanItsSender() throws Exception {
    Collector service = new Collector();
    try (BrokerConnection topology = open(broker.service());
        Connection mallory = broker.connect("mallory")) {
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
    try (BrokerConnection victim = open(broker.robot("victim"))) {
      victim.subscribeToAnswers("victim", 1, new Collector());
      String queue = BrokerNames.latestQueue("victim");
      broker.denied("mallory", channel -> channel.basicGet(queue, true));
      broker.denied(
          "mallory",
          channel -> {
            String own = BrokerNames.latestQueue("mallory");
            channel.queueBind(own, BrokerNames.ANSWERS, BrokerNames.Answer.MAP.keyTo("victim"));
          });
      broker.denied(
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
    broker.denied("mallory", c -> c.exchangeDeclare("mine", BuiltinExchangeType.FANOUT));
    broker.denied("mallory", c -> c.queueDeclare("mine", false, true, true, null));
    broker.denied("mallory", c -> c.basicGet(BrokerNames.serviceQueue("service"), true));
    broker.denied("mallory", channel -> publish(channel, BrokerNames.ANSWERS, "victim.map"));
  }

  @Test
  void refusesAMessageOverTheSizeLimit() throws Exception {
    try (Connection connection = broker.connect("talker")) {
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

  /** Each costs the broker some 100 kB; others must still get in. */
  @Test
  void acceptsFewOf1500ConnectionsOfOneRobot() throws Exception {
    ConnectionFactory factory = AmqpConnections.factory(broker.robot("octopus"));
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
      broker.connect("modest").close();
    } finally {
      for (Connection each : accepted) {
        each.close();
      }
    }
  }
}
