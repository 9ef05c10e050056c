package org.cartostream.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.cartostream.broker.local.CutWire;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.Test;

/** What holds on every broker. One class for each broker inherits it. */
abstract class BrokerContract {

  /** The running broker's address with user and password. */
  abstract String uri();

  final String robot = "robot-" + UUID.randomUUID();

  BrokerSettings settings() {
    return BrokerSettings.defaults().withUri(uri());
  }

  BrokerConnection open(String party) {
    return BrokerConnection.open(settings(), party, BrokerListener.NONE);
  }

  @Test
  void carriesReadingsToTheServiceInOrder() throws Exception {
    Examples.Collector service = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      LongStream.rangeClosed(1, 200).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      topology.subscribeToReadings(10, service);
      await().atMost(SOON).until(() -> service.sequences.size() >= 200);
      assertThat(gateway.flush(SOON)).isTrue();
    }
    assertThat(service.sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
  }

  @Test
  void carriesAnswersOnlyToTheirRobot() {
    Examples.Collector mine = new Examples.Collector(true);
    Examples.Collector other = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway");
        BrokerConnection topology = open("service")) {
      gateway.subscribeToAnswers(robot, 10, mine);
      gateway.subscribeToAnswers(robot + "-2", 10, other);
      topology.publish(Examples.outcome(robot, 1));
      topology.publish(Examples.outcome(robot + "-2", 2));
      await().atMost(SOON).until(() -> mine.sequences.size() + other.sequences.size() == 2);
      gateway.deleteAnswerQueues(robot);
      gateway.deleteAnswerQueues(robot + "-2");
    }
    assertThat(mine.sequences).containsExactly(1L);
    assertThat(other.sequences).containsExactly(2L);
  }

  @Test
  void keepsEveryOutcomeButOnlyTheNewestPosesOfASlowGateway() throws Exception {
    Examples.Collector slow = new Examples.Collector(true);
    int many = 3 * BrokerNames.LATEST_QUEUE_LENGTH;
    try (BrokerConnection topology = open("service")) {
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 1, slow);
      }
      LongStream.rangeClosed(1, many)
          .forEach(
              i -> {
                topology.publish(Examples.outcome(robot, i));
                topology.publish(Examples.pose(robot, i));
              });
      assertThat(topology.flush(SOON)).isTrue();
      try (BrokerConnection gateway = open("gateway")) {
        gateway.subscribeToAnswers(robot, 1, slow);
        int expected = many + BrokerNames.LATEST_QUEUE_LENGTH;
        await().atMost(SOON).until(() -> slow.envelopes.size() >= expected);
        gateway.deleteAnswerQueues(robot);
      }
    }
    assertThat(sequencesOf(slow, OutcomeMessage.class))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, many).boxed().toList());
    assertThat(sequencesOf(slow, PoseMessage.class))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(many - BrokerNames.LATEST_QUEUE_LENGTH + 1, many)
                .boxed()
                .toList());
  }

  private static List<Long> sequencesOf(Examples.Collector collector, Class<?> kind) {
    return collector.envelopes.stream()
        .filter(envelope -> kind.isInstance(envelope.body()))
        .map(Envelope::sequence)
        .toList();
  }

  @Test
  void deliversAgainWhatGotNoReceipt() {
    Examples.Collector forgetful = new Examples.Collector(false);
    Examples.Collector careful = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway")) {
      gateway.publish(Examples.reading(robot, 1));
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(10, forgetful);
        await().atMost(SOON).until(() -> forgetful.sequences.size() == 1);
      }
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(10, careful);
        await().atMost(SOON).until(() -> careful.sequences.size() == 1);
      }
    }
    assertThat(careful.envelopes.get(0).robot()).isEqualTo(robot);
  }

  @Test
  void countsGarbageFutureVersionsAndHugeMessagesAndGoesOn() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    byte[] future = new Codec(1 << 20).encode(Examples.outcome(robot, 1));
    future[4] = 99;
    BrokerSettings small =
        new BrokerSettings(uri(), 10, 10, 65536, 200, 5000, 100, 1 << 20, "service", "");
    try (BrokerConnection connection =
            BrokerConnection.open(small, "gateway", BrokerListener.NONE);
        Connection stranger = stranger()) {
      connection.subscribeToAnswers(robot, 10, gateway);
      Channel channel = stranger.createChannel();
      String key = BrokerNames.Answer.OUTCOME.keyTo(robot);
      byte[] garbage = "hello, I am no message".getBytes(StandardCharsets.UTF_8);
      for (byte[] bytes : List.of(garbage, future, new byte[1 << 20])) {
        channel.basicPublish(BrokerNames.ANSWERS, key, null, bytes);
      }
      connection.publish(Examples.outcome(robot, 5));
      await().atMost(SOON).until(() -> gateway.sequences.contains(5L));
      await().atMost(SOON).until(() -> gateway.refusals.size() == 3);
      connection.deleteAnswerQueues(robot);
    }
    assertThat(gateway.refusals)
        .extracting(because -> because.refusal().name())
        .containsExactlyInAnyOrder("GARBAGE", "OTHER_VERSION", "TOO_LARGE");
  }

  /** A connection that is not ours. */
  Connection stranger() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(uri());
    return factory.newConnection();
  }

  @Test
  void refusesToSendWhatIsTooLarge() {
    BrokerSettings small =
        new BrokerSettings(uri(), 10, 10, 65536, 200, 5000, 100, 1 << 20, "service", "");
    MapMessage map = new MapMessage(true, 0, 10, 10, 0.05, 0, 0, new byte[100_000]);
    try (BrokerConnection connection =
        BrokerConnection.open(small, "service", BrokerListener.NONE)) {
      assertThatExceptionOfType(RefusedMessageException.class)
          .isThrownBy(() -> connection.publish(new Envelope(robot, 1, 1, 0, map)))
          .withMessageContaining("65536");
    }
  }

  @Test
  void takesNoMoreThanTheOutboxHolds() {
    BrokerSettings tiny =
        new BrokerSettings(uri(), 10, 10, 65536, 200, 5000, 10, 1 << 20, "service", "");
    try (BrokerConnection connection =
        BrokerConnection.open(tiny, "gateway", BrokerListener.NONE)) {
      long refused =
          LongStream.rangeClosed(1, 10_000)
              .filter(i -> !connection.publish(Examples.outcome("nobody", i)))
              .count();
      assertThat(refused).isPositive();
    }
  }

  @Test
  void noticesNoOutageWhenAGatewaysQueuesAreDeleted() {
    Examples.Outages outages = new Examples.Outages();
    Examples.Collector gateway = new Examples.Collector(true);
    try (BrokerConnection connection = BrokerConnection.open(settings(), "gateway", outages)) {
      connection.subscribeToAnswers(robot, 1, gateway);
      connection.deleteAnswerQueues(robot);
      connection.subscribeToAnswers(robot, 1, gateway);
      connection.publish(Examples.outcome(robot, 1));
      await().atMost(SOON).until(() -> gateway.sequences.contains(1L));
      connection.deleteAnswerQueues(robot);
    }
    assertThat(outages.downs).isEmpty();
  }

  /** And once only, however often it tries. */
  @Test
  void saysWhyItCannotBeOpenedAgain() throws Exception {
    Examples.Outages outages = new Examples.Outages();
    int port = URI.create(uri()).getPort();
    try (CutWire wire = new CutWire(port);
        BrokerConnection gateway = BrokerConnection.open(through(wire, port), "gateway", outages)) {
      gateway.subscribeToAnswers(robot, 1, new Examples.Collector(true));
      wire.takeDown();
      await().atMost(SOON).until(() -> !gateway.isUp());
      try (BrokerConnection second = open("a second gateway")) {
        await()
            .atMost(SOON)
            .ignoreExceptionsInstanceOf(BrokerException.class)
            .until(
                () -> {
                  second.subscribeToAnswers(robot, 1, new Examples.Collector(true));
                  return second.isUp();
                });
        wire.mend();
        await()
            .atMost(SOON)
            .until(
                () ->
                    outages.downs.stream()
                        .anyMatch(why -> why.startsWith("somebody else already takes")));
        second.close(); // Its consumers go at once, and the queues stay for the other.
      }
      await().atMost(SOON).until(() -> !outages.ups.isEmpty());
      gateway.deleteAnswerQueues(robot);
    }
    assertThat(outages.downs).doesNotHaveDuplicates(); // However often it was tried.
    assertThat(outages.downs.get(0)).contains("broke: ");
    assertThat(outages.ups).hasSize(1);
  }

  /** The same broker through a wire; it is tried again at once. */
  private BrokerSettings through(CutWire wire, int port) {
    return Settings.with(
        settings().withUri(uri().replace(":" + port, ":" + wire.port())),
        Map.of("reconnectMinMillis", "10", "reconnectMaxMillis", "20"));
  }

  @Test
  void saysThatTheCredentialsAreWrongWithoutShowingThem() {
    String wrong = uri().replaceFirst("//[^@]*@", "//guest:sesame-open@");
    assertThatThrownBy(() -> openAt(wrong))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("127.0.0.1:")
        .hasMessageContaining("refuses the user name or the password")
        .hasMessageNotContaining("sesame");
  }

  @Test
  void saysThatTheVhostIsWrong() {
    assertThatThrownBy(() -> openAt(uri() + "/atlantis"))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("no vhost 'atlantis'");
  }

  @Test
  void saysThatTlsFailed() {
    assertThatThrownBy(() -> openAt(uri().replace("amqp://", "amqps://")))
        .isInstanceOf(BrokerException.class)
        .hasMessageContaining("TLS")
        .hasMessageNotContaining("guest:");
  }

  private static void openAt(String uri) {
    BrokerConnection.open(BrokerSettings.defaults().withUri(uri), "gateway", BrokerListener.NONE)
        .close();
  }
}
