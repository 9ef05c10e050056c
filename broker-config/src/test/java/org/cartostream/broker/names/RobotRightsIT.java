package org.cartostream.broker.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.Examples;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a robot's account can do at a real RabbitMQ, with the configuration that is delivered. */
@Default
class RobotRightsIT {

  private static final String VICTIM = "victim";
  private static final String MALLORY = "mallory";

  private static LocalRabbitMq node;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node =
        LocalRabbitMq.started(
            folder ->
                Map.of(
                    "rabbitmq.conf",
                    BrokerNamesTest.resource("rabbitmq.conf")
                        .replace("/etc/rabbitmq/", folder + "/"),
                    "definitions.json",
                    new BrokerUsers()
                        .withService(BrokerUsers.SERVICE)
                        .withRobot(VICTIM, VICTIM)
                        .withRobot(MALLORY, MALLORY)
                        .definitions()));
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  /** Its password is its name. */
  private static String uri(String user) {
    return "amqp://%1$s:%1$s@127.0.0.1:%2$d/%3$s".formatted(user, node.port(), BrokerUsers.VHOST);
  }

  private static BrokerConnection open(String user) {
    return BrokerConnection.open(
        BrokerSettings.defaults().withUri(uri(user)), user, BrokerListener.NONE);
  }

  private static ConnectionFactory factory(String user) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri(user));
    factory.setAutomaticRecoveryEnabled(false);
    return factory;
  }

  private static Connection connect(String user) throws Exception {
    return factory(user).newConnection();
  }

  @Test
  void aRobotHasItsAnswersAndLearnsNothingOfAnothersQueues() throws Exception {
    Examples.Collector answers = new Examples.Collector(true);
    try (BrokerConnection service = open(BrokerUsers.SERVICE);
        BrokerConnection robot = open(VICTIM);
        Connection mallory = connect(MALLORY)) {
      robot.subscribeToAnswers(VICTIM, 10, answers);
      service.publish(Examples.outcome(VICTIM, 1));
      service.publish(Examples.pose(VICTIM, 2));
      await().atMost(SOON).until(() -> answers.sequences.size() == 2);
      for (String plain :
          List.of(BrokerNames.certainQueue(VICTIM), BrokerNames.latestQueue(VICTIM))) {
        for (String known : List.of(plain, BrokerUsers.queueOfAccount(plain, MALLORY))) {
          assertThatThrownBy(() -> mallory.createChannel().queueDeclarePassive(known))
              .hasStackTraceContaining("NOT_FOUND");
        }
      }
      robot.deleteAnswerQueues(VICTIM);
    }
  }

  @Test
  void aRoutingKeyEndsWithTheRobotsName() throws Exception {
    for (String key :
        List.of("service.mallory\n", "service\n.mallory", "service.mallory\r\n", "\n.mallory")) {
      try (Connection mallory = connect(MALLORY)) {
        assertThatThrownBy(() -> publish(mallory.createChannel(), key, null))
            .hasStackTraceContaining("ACCESS_REFUSED");
      }
    }
  }

  private static void publish(Channel channel, String key, Map<String, Object> headers)
      throws Exception {
    Envelope reading = new Envelope(MALLORY, 1, 1, 0, Examples.reading(MALLORY, 1).body());
    assertThat(reading.body()).isInstanceOf(ReadingMessage.class);
    channel.confirmSelect();
    channel.basicPublish(
        BrokerNames.READINGS,
        key,
        new AMQP.BasicProperties.Builder().headers(headers).build(),
        new Codec(1 << 20).encode(reading));
    channel.waitForConfirmsOrDie(SOON.toMillis());
  }

  /**
   * By these headers RabbitMQ takes further routing keys, which it does not check. It takes BCC
   * out; whatever queue a copy gets into, it counts as its sender's.
   */
  @Test
  void aCopyForAnotherIsRefusedAndToldOrItsSendersOwn() throws Exception {
    Examples.Collector readings = new Examples.Collector(true);
    try (BrokerConnection service = open(BrokerUsers.SERVICE);
        Connection mallory = connect(MALLORY)) {
      service.subscribeToReadings(10, readings);
      for (String header : List.of("CC", "BCC")) {
        publish(
            mallory.createChannel(), "service.mallory", Map.of(header, List.of("service.victim")));
      }
      publish(mallory.createChannel(), "service.mallory", null);
      await().atMost(SOON).until(() -> readings.sequences.size() + readings.refusals.size() == 3);
    }
    assertThat(readings.refusals)
        .extracting(Refusal.Reason::refusal)
        .containsExactly(BrokerRefusal.HEADERS);
    assertThat(readings.envelopes).extracting(Envelope::robot).containsExactly(MALLORY, MALLORY);
  }

  /** Java's client sends none, so the head of such a frame is written past it. */
  @Test
  void largeHeadersEndTheConnection() throws Exception {
    AtomicReference<Socket> socket = new AtomicReference<>();
    ConnectionFactory factory = factory(MALLORY);
    factory.setSocketConfigurator(socket::set);
    Connection mallory = factory.newConnection();
    mallory.createChannel();
    assertThat(mallory.getFrameMax()).isEqualTo(16_384);
    ByteBuffer head = ByteBuffer.allocate(7).put((byte) AMQP.FRAME_HEADER);
    head.putShort((short) 1).putInt(100_000); // Channel, bytes.
    socket.get().getOutputStream().write(head.array());
    await().atMost(SOON).until(() -> !mallory.isOpen());
  }

  /** Though a connection, such as a service's, may have 2047. */
  @Test
  void aRobotHasFewChannels() throws Exception {
    Connection mallory = connect(MALLORY);
    List<Channel> channels = new ArrayList<>();
    assertThatThrownBy(
            () -> {
              while (true) {
                channels.add(mallory.createChannel());
              }
            })
        .hasStackTraceContaining("NOT_ALLOWED");
    assertThat(channels).hasSizeBetween(1, 64);
    mallory.abort();
  }
}
