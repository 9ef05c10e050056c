package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.broker.Examples.SOON;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import org.cartostream.broker.Examples;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@Default
class EmbeddedBrokerIT extends ServerContract {

  private static EmbeddedBroker broker;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start();
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  String uri() {
    return broker.uri();
  }

  /** As when the broker's answer to the closing is late, or the wire breaks in that moment. */
  @Test
  void aConnectionMayBreakWhenItsDeliveriesHaveEnded() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    ExecutorService deliveries = AmqpConnections.deliveryExecutor("deliveries");
    BrokerAddress address = BrokerAddress.of(uri(), Map.of());
    try (CuttableProxy wire = new CuttableProxy(address.port())) {
      BrokerSettings settings =
          BrokerSettings.defaults().withUri(uri().replace(":" + address.port(), ":" + wire.port()));
      BrokerLink brokerLink =
          AmqpLink.open(
              BrokerAddress.of(settings.uri(), Map.of()),
              settings,
              "gateway",
              deliveries,
              new Outbox(10, 1000));
      brokerLink.declareAnswers(robot);
      brokerLink.consume(
          BrokerNames.certainQueue(robot),
          1,
          QueueConsumer.FrameReader.atMost(1000),
          new Examples.Collector(true));
      Thread reader =
          Thread.getAllStackTraces().keySet().stream()
              .filter(each -> each.getName().equals("AMQP Connection 127.0.0.1:" + wire.port()))
              .findFirst()
              .orElseThrow();
      Thread.setDefaultUncaughtExceptionHandler(
          (thread, e) -> {
            if (thread == reader) {
              uncaught.add(e);
            }
          });
      deliveries.shutdownNow();
      wire.cut();
      reader.join(SOON.toMillis());
      assertThat(reader.isAlive()).isFalse();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).isEmpty();
  }
}
