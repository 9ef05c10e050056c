package org.cartostream.broker.names;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.cartostream.broker.Examples;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** RabbitMQ's own files say what the constants say. */
@Quick
class BrokerNamesTest {

  static final long DAY_MILLIS = TimeUnit.DAYS.toMillis(1);
  private static final String SERVICE = BrokerSettings.defaults().service();

  private static JsonNode definitions() throws IOException {
    return new ObjectMapper().readTree(resource("definitions.json"));
  }

  private static Properties configuration() throws IOException {
    Properties properties = new Properties();
    try (InputStreamReader in =
        new InputStreamReader(
            BrokerNames.class.getResourceAsStream("rabbitmq.conf"), StandardCharsets.UTF_8)) {
      properties.load(in);
    }
    return properties;
  }

  static String resource(String name) throws IOException {
    try (InputStream in = BrokerNames.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void definitionsNameTheSameExchanges() throws IOException {
    assertThat(definitions().get("exchanges"))
        .extracting(exchange -> exchange.get("name").asText())
        .containsExactly(BrokerNames.READINGS, BrokerNames.NEW_ROBOTS, BrokerNames.ANSWERS);
    assertThat(definitions().get("exchanges"))
        .allMatch(exchange -> exchange.get("type").asText().equals("topic"))
        .allMatch(exchange -> exchange.get("durable").asBoolean());
  }

  @Test
  void definitionsNameTheSameQueueWithTheSameBounds() throws IOException {
    JsonNode queues = definitions().get("queues");
    assertThat(queues).hasSize(1);
    assertThat(queues.get(0).get("name").asText()).isEqualTo(BrokerNames.serviceQueue(SERVICE));
    assertThat(queues.get(0).get("durable").asBoolean()).isTrue();
    Map<?, ?> arguments =
        new ObjectMapper().convertValue(queues.get(0).get("arguments"), Map.class);
    Map<String, Object> declared =
        QueueArguments.RABBITMQ.bounded(
            BrokerNames.SERVICE_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW);
    assertThat(arguments).isEqualTo(declared);
  }

  @Test
  void definitionsBindEveryRobotToTheQueue() throws IOException {
    JsonNode bindings = definitions().get("bindings");
    assertThat(bindings).hasSize(1);
    assertThat(bindings.get(0).get("source").asText()).isEqualTo(BrokerNames.NEW_ROBOTS);
    assertThat(bindings.get(0).get("destination").asText())
        .isEqualTo(BrokerNames.serviceQueue(SERVICE));
    assertThat(bindings.get(0).get("routing_key").asText())
        .isEqualTo(BrokerNames.everyRobotOf(SERVICE));
  }

  @Test
  void configurationHasTheSameLimitsAsTheSettings() throws IOException {
    BrokerSettings settings = BrokerSettings.defaults();
    assertThat(configuration())
        .containsEntry("max_message_size", Integer.toString(FrameFragmentation.PIECE_BYTES))
        .containsEntry("heartbeat", Integer.toString(settings.heartbeatSeconds()));
  }

  @Test
  void everyAnswerFitsExactlyOneQueueOfItsRobot() {
    for (BrokerNames.Answer answer : BrokerNames.Answer.values()) {
      assertThat(answer.keyTo("r2")).isEqualTo("r2." + answer.word());
    }
    assertThat(BrokerNames.route(Examples.outcome("r2", 1), SERVICE))
        .isEqualTo(new BrokerNames.Route(BrokerNames.ANSWERS, "r2.outcome", true));
    assertThat(BrokerNames.route(Examples.pose("r2", 1), SERVICE))
        .isEqualTo(new BrokerNames.Route(BrokerNames.ANSWERS, "r2.pose", false));
    MapMessage map = MapMessage.of(new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]), 0);
    assertThat(
            BrokerNames.route(
                new Envelope("r2", 1, 1, 0, new MapMessage.ForObservers(map)), SERVICE))
        .as("no robot's queue is bound to it")
        .isEqualTo(new BrokerNames.Route(BrokerNames.ANSWERS, "r2.wholemap", false));
    assertThat(BrokerNames.route(Examples.reading("r2", 1), SERVICE))
        .isEqualTo(new BrokerNames.Route(BrokerNames.READINGS, "service.r2", true));
  }

  /** Else an observer never gets a whole one where two robots send theirs. */
  @Test
  void anObserversQueueHoldsTheLargestMapsOfTwoRobots() {
    int pieces =
        FrameFragmentation.of(new byte[BrokerSettings.defaults().maxMessageBytes()]).size();
    assertThat(BrokerNames.LATEST_QUEUE_LENGTH).isGreaterThan(pieces);
    for (QueueArguments each : QueueArguments.values()) {
      assertThat(each.ofObserver().values())
          .anyMatch(value -> value instanceof Integer length && length > 2 * pieces);
    }
    assertThat(new BrokerUsers().withObserver("o1", "secret").definitions())
        .contains("\"x-max-length\" : " + BrokerNames.OBSERVER_QUEUE_LENGTH)
        .contains("\"x-message-ttl\" : 10000");
  }

  @Test
  void theLongestNameFitsIntoAmqpsShortString() {
    String longest = "a".repeat(RobotId.MAX_CHARACTERS);
    assertThat(BrokerNames.certainQueue(longest)).hasSizeLessThan(256);
    assertThat(BrokerNames.newRobotQueue("s".repeat(80), longest)).hasSizeLessThan(256);
  }

  @Test
  void definitionsLetTheQueuesOfARobotGoAfterADay() throws IOException {
    JsonNode policy = definitions().get("policies").get(0);
    assertThat(policy.at("/definition/expires").asLong()).isEqualTo(DAY_MILLIS);
    Predicate<String> matches = Pattern.compile(policy.get("pattern").asText()).asPredicate();
    assertThat(matches)
        .accepts(BrokerNames.certainQueue("r2"), BrokerNames.latestQueue("r2"))
        .rejects(BrokerNames.serviceQueue(SERVICE), BrokerNames.serviceQueue("answers"));
  }

  @Test
  void definitionsBoundTheBytesOfEachQueue() throws IOException {
    for (String queue :
        List.of(
            BrokerNames.serviceQueue("mine"),
            BrokerNames.certainQueue("r2"),
            BrokerNames.latestQueue("r2"))) {
      for (String json : List.of(resource("definitions.json"), new BrokerUsers().definitions())) {
        assertThat(new ObjectMapper().readTree(json).get("policies"))
            .filteredOn(each -> Pattern.compile(each.get("pattern").asText()).matcher(queue).find())
            .singleElement()
            .extracting(each -> each.at("/definition/max-length-bytes").asLong())
            .as(queue)
            .isEqualTo(
                queue.equals(BrokerNames.serviceQueue("mine"))
                    ? BrokerNames.READINGS_BYTES
                    : BrokerNames.QUEUE_BYTES);
      }
    }
    assertThat(BrokerNames.QUEUE_BYTES).isGreaterThan(BrokerSettings.defaults().maxMessageBytes());
  }
}
