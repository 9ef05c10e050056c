package org.cartostream.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.cartostream.broker.Examples.SOON;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.util.stream.LongStream;
import org.cartostream.broker.local.LocalRabbitMq;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitMqTest extends BrokerContract {

  private static LocalRabbitMq node;

  @BeforeAll
  static void start() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    node = LocalRabbitMq.started();
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

  @Test
  void outlivesARestartOfTheBroker() throws Exception {
    Examples.Collector service = new Examples.Collector(true);
    Examples.Outages outages = new Examples.Outages();
    try (BrokerConnection gateway = BrokerConnection.open(settings(), "gateway", outages);
        BrokerConnection topology = open("service")) {
      topology.subscribeToReadings(10, service);
      gateway.publish(Examples.reading("phoenix", 1));
      await().atMost(SOON).until(() -> service.sequences.contains(1L));
      node.stop();
      await().atMost(SOON).until(() -> !gateway.isUp());
      LongStream.rangeClosed(2, 50).forEach(i -> gateway.publish(Examples.reading("phoenix", i)));
      node.start();
      await().atMost(SOON).until(() -> service.sequences.contains(50L));
      assertThat(gateway.flush(SOON)).isTrue();
    }
    assertThat(outages.downs).doesNotHaveDuplicates();
    assertThat(outages.downs).allMatch(why -> why.contains("127.0.0.1:" + node.port()));
    assertThat(outages.downs.get(0)).contains("broke: ");
    assertThat(outages.downs).anyMatch(why -> why.startsWith("no broker answers at "));
    assertThat(outages.ups).hasSize(1);
    assertThat(service.sequences).doesNotHaveDuplicates();
    assertThat(service.sequences)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 50).boxed().toList());
  }

  /** The embedded broker does not compare arguments. */
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
