package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.util.Map;
import java.util.stream.LongStream;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.Examples;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Default
class RabbitMqIT extends ServerContract implements RestartContract {

  /** Strangers may send what our parties refuse. */
  private static final int SERVER_BYTES = 2_000_000;

  /** Less than a piece of a message has. */
  private static final int MAX_BYTES = 50_000;

  private static LocalRabbitMq node;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    String configuration = "loopback_users = none\nmax_message_size = " + SERVER_BYTES + "\n";
    node = LocalRabbitMq.started(folder -> Map.of("rabbitmq.conf", configuration));
  }

  @AfterAll
  static void stop() throws Exception {
    if (node != null) {
      node.close();
    }
  }

  @Override
  String uri() {
    return node.uri();
  }

  @Override
  public BrokerConnection connect(String party, BrokerListener listener) {
    return BrokerConnection.open(settings(), party, listener);
  }

  @Override
  public void stopBroker() throws Exception {
    node.stop();
  }

  @Override
  public void startBroker() throws Exception {
    node.start();
  }

  @Override
  public String address() {
    return "127.0.0.1:" + node.port();
  }

  /** Channels have the limit that is set when they are opened. */
  private static void takesMessagesOf(int bytes) throws Exception {
    node.control("eval", "application:set_env(rabbit, max_message_size, " + bytes + ").");
  }

  /** RabbitMQ closes the channel at it, with all that is in flight. */
  @Test
  void losesOnlyWhatIsTooLargeForTheBroker() throws Exception {
    takesMessagesOf(MAX_BYTES);
    try {
      losesOnlyWhatIsTooLarge();
    } finally {
      takesMessagesOf(SERVER_BYTES);
    }
  }

  private void losesOnlyWhatIsTooLarge() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    Examples.Outages outages = new Examples.Outages();
    try (BrokerConnection topology = BrokerConnection.open(settings(), "service", outages);
        BrokerConnection answered = open("gateway")) {
      answered.subscribeToAnswers(robot, 10, gateway);
      LongStream.rangeClosed(1, 50).forEach(i -> topology.publish(Examples.outcome(robot, i)));
      topology.publish(map(51, MAX_BYTES));
      LongStream.rangeClosed(52, 99).forEach(i -> topology.publish(Examples.outcome(robot, i)));
      assertThat(topology.flush(SOON)).isTrue();
      assertThat(outages.downs).hasSize(2).allMatch(why -> why.contains("message size"));
      topology.publish(map(100, MAX_BYTES));
      topology.publish(map(101, MAX_BYTES / 2));
      await().atMost(SOON).until(() -> gateway.sequences.contains(101L));
      answered.deleteAnswerQueues(robot);
    }
    assertThat(gateway.sequences.stream().distinct())
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, 101).filter(i -> i != 51 && i != 100).boxed().toList());
    assertThat(outages.downs).hasSize(2);
  }

  /** The channel is closed as at what is too large, but with another code. */
  @Test
  void losesNoLaterMapForOneThatWasDenied() throws Exception {
    Examples.Collector gateway = new Examples.Collector(true);
    try (BrokerConnection topology = open("service");
        BrokerConnection answered = open("gateway")) {
      answered.subscribeToAnswers(robot, 10, gateway);
      node.control("set_permissions", "guest", ".*", "^(?!cartostream\\.answers$)", ".*");
      try {
        topology.publish(map(1, MAX_BYTES / 4));
        assertThat(topology.flush(SOON)).isTrue();
      } finally {
        node.control("set_permissions", "guest", ".*", ".*", ".*");
      }
      topology.publish(map(2, MAX_BYTES / 2));
      await().atMost(SOON).until(() -> gateway.sequences.contains(2L));
      answered.deleteAnswerQueues(robot);
    }
    assertThat(gateway.sequences).containsOnly(2L);
  }

  private Envelope map(long sequence, int bytes) {
    return new Envelope(
        robot, 7, sequence, 0, new MapMessage(true, 0, 0, 10, 10, 0.05, 0, 0, new byte[bytes]));
  }

  /** What a service that died had not acknowledged comes back into a queue that has no room. */
  @Test
  void losesNothingThatGotNoReceiptThoughTheQueueIsFull() throws Exception {
    Examples.Collector forgetful = new Examples.Collector(false);
    Examples.Collector careful = new Examples.Collector(true);
    try (BrokerConnection gateway = open("gateway")) {
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(50, forgetful);
        LongStream.rangeClosed(1, 50).forEach(i -> gateway.publish(Examples.reading(robot, i)));
        Examples.soon().until(() -> forgetful.sequences.size() == 50);
        publishGarbage(settings().service(), robot, BrokerNames.SERVICE_QUEUE_LENGTH + 100);
        LongStream.rangeClosed(51, 55).forEach(i -> gateway.publish(Examples.reading(robot, i)));
        Examples.soon().until(() -> gateway.unconfirmed() == 5);
      }
      try (BrokerConnection topology = open("service")) {
        topology.subscribeToReadings(100, careful);
        assertThat(gateway.flush(Examples.SOON)).isTrue();
        Examples.soon().until(() -> careful.sequences.size() == 55);
      }
    }
    // What had no room is sent again one by one, so in any order.
    assertThat(careful.sequences)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 55).boxed().toList());
    // What was on its way to the first service comes back into the queue, however full.
    assertThat(careful.refusals.size())
        .as("garbage")
        .isBetween(BrokerNames.SERVICE_QUEUE_LENGTH, BrokerNames.SERVICE_QUEUE_LENGTH + 100);
  }

  private void publishGarbage(String service, String sender, int messages) throws Exception {
    String key = BrokerNames.keyOfReadings(service, sender);
    try (Connection stranger = stranger();
        Channel channel = stranger.createChannel()) {
      for (int i = 0; i < messages; i++) {
        channel.basicPublish(BrokerNames.READINGS, key, null, new byte[] {1});
      }
    }
  }

  /** The service is away meanwhile, and the next one finds both robots' queues. */
  @Test
  void aRobotThatFillsItsQueueLeavesOthersTheirs() throws Exception {
    BrokerSettings settings = settings().withService("service-" + robot);
    Examples.Collector first = new Examples.Collector(true);
    Examples.Collector next = new Examples.Collector(true);
    try (Connection stranger = stranger();
        BrokerConnection gateway = open(settings, "gateway", BrokerListener.NONE)) {
      try (BrokerConnection topology = open(settings, "service", BrokerListener.NONE)) {
        topology.subscribeToReadings(50, first);
        gateway.publish(Examples.reading(robot, 1));
        gateway.publish(Examples.reading("mallory", 1));
        Examples.soon() // A queue has its name before it is there.
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> readQueues(stranger, settings.service()) == 2);
      }
      publishGarbage(settings.service(), "mallory", BrokerNames.SERVICE_QUEUE_LENGTH + 100);
      LongStream.rangeClosed(2, 20).forEach(i -> gateway.publish(Examples.reading(robot, i)));
      assertThat(gateway.flush(SOON)).isTrue();
      try (BrokerConnection topology = open(settings, "service", BrokerListener.NONE)) {
        topology.subscribeToReadings(50, next);
        Examples.soon().until(() -> next.sequences.size() == 19);
        Examples.soon().until(() -> next.refusals.size() >= BrokerNames.SERVICE_QUEUE_LENGTH);
        topology.deleteReadingsQueue();
      }
      assertThatThrownBy(() -> readQueues(stranger, settings.service()))
          .hasStackTraceContaining("NOT_FOUND");
    }
    assertThat(next.sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(2, 20).boxed().toList());
  }

  /** How many robots have queues from which somebody takes. */
  private static long readQueues(Connection connection, String service) throws Exception {
    Channel channel = connection.createChannel();
    try {
      long count = 0;
      for (String queue : RobotQueues.names(channel, service).keySet()) {
        count += channel.consumerCount(queue);
      }
      return count;
    } finally {
      channel.abort();
    }
  }

  /** Its arguments could not be changed, and its robot would have no answers. */
  @Test
  void takesAQueueOfAnotherLengthAsItIs() throws Exception {
    Examples.Collector answered = new Examples.Collector(true);
    try (Connection stranger = stranger();
        BrokerConnection gateway = open("gateway")) {
      Channel channel = stranger.createChannel();
      channel.queueDeclare(
          BrokerNames.latestQueue(robot),
          true,
          false,
          false,
          Map.of("x-max-length", 16, "x-overflow", "drop-head"));
      gateway.subscribeToAnswers(robot, 1, answered);
      gateway.publish(Examples.pose(robot, 1));
      gateway.publish(Examples.outcome(robot, 2));
      Examples.soon().until(() -> answered.sequences.size() == 2);
      gateway.deleteAnswerQueues(robot);
    }
  }

  @Test
  void saysThatAQueueIsThereWithOtherArguments() throws Exception {
    try (Connection stranger = stranger();
        BrokerConnection gateway = open("gateway")) {
      Channel channel = stranger.createChannel();
      channel.queueDeclare(BrokerNames.certainQueue(robot), false, true, false, null);
      assertThatThrownBy(() -> gateway.subscribeToAnswers(robot, 1, new Examples.Collector(true)))
          .isInstanceOf(BrokerException.class)
          .hasMessageContaining("refuses a queue or an exchange")
          .hasMessageContaining(BrokerNames.certainQueue(robot));
    }
  }
}
