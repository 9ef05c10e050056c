package org.cartostream.broker.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.broker.Examples;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A real RabbitMQ takes the configuration and the definitions that are delivered with it. */
@Nightly
class RabbitMqConfigurationIT {

  private static final String SERVICE = BrokerSettings.defaults().service();

  /**
   * And both sides' own declarations after them. The day after which a robot's queues expire is a
   * second here.
   */
  @Test
  void rabbitMqTakesBothFiles() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    String json = "definitions.json";
    try (LocalRabbitMq node =
        LocalRabbitMq.started(
            folder ->
                Map.of(
                    "rabbitmq.conf",
                    BrokerNamesTest.resource("rabbitmq.conf")
                        .replace("/etc/rabbitmq/", folder + "/"),
                    json,
                    withGuest(
                        BrokerNamesTest.resource(json)
                            .replace(Long.toString(BrokerNamesTest.DAY_MILLIS), "1000"))))) {
      ConnectionFactory factory = new ConnectionFactory();
      factory.setUri(node.uri());
      try (Connection connection = factory.newConnection();
          Channel channel = connection.createChannel()) {
        channel.exchangeDeclarePassive(BrokerNames.READINGS);
        channel.exchangeDeclarePassive(BrokerNames.ANSWERS);
        assertThat(channel.queueDeclarePassive(BrokerNames.serviceQueue(SERVICE)).getQueue())
            .isEqualTo(BrokerNames.serviceQueue(SERVICE));
      }
      BrokerSettings settings = BrokerSettings.defaults().withUri(node.uri());
      try (BrokerConnection gateway =
          BrokerConnection.open(settings, "test", BrokerListener.NONE)) {
        gateway.subscribeToAnswers("r2", 1, new Examples.Collector(true));
        assertThat(isThere(BrokerNames.certainQueue("r2"), factory)).isTrue();
      }
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofSeconds(2)) // Who asks for a queue keeps it for another second.
          .until(
              () ->
                  !isThere(BrokerNames.certainQueue("r2"), factory)
                      && !isThere(BrokerNames.latestQueue("r2"), factory));
      assertThat(isThere(BrokerNames.serviceQueue(SERVICE), factory)).isTrue();
    }
  }

  private static boolean isThere(String queue, ConnectionFactory factory) throws Exception {
    try (Connection connection = factory.newConnection()) {
      connection.createChannel().queueDeclarePassive(queue);
      return true;
    } catch (IOException e) {
      assertThat(e).hasStackTraceContaining("no queue");
      return false;
    }
  }

  /** A node that imports definitions makes no user of its own. */
  private static String withGuest(String definitions) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    Map<String, Object> tree = new LinkedHashMap<>(mapper.readValue(definitions, Map.class));
    tree.put(
        "users",
        new Object[] {Map.of("name", "guest", "password", "guest", "tags", "administrator")});
    tree.put(
        "permissions",
        new Object[] {
          Map.of("user", "guest", "vhost", "/", "configure", ".*", "write", ".*", "read", ".*")
        });
    return mapper.writeValueAsString(tree);
  }
}
