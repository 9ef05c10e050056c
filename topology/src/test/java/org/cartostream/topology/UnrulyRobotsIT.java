package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.cartostream.topology.ServiceIT.ALWAYS_SERIALIZE;
import static org.cartostream.topology.ServiceIT.settings;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The service as in {@link ServiceIT}, with several robots, and one that does not read. */
@Nightly
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UnrulyRobotsIT {

  private final List<Reading> readings = Recorded.office(60);
  private EmbeddedBroker broker;

  @BeforeAll
  void startBroker() {
    broker = EmbeddedBroker.start();
    readings.set(20, Drive.blind(readings.get(20)));
  }

  @AfterAll
  void stopBroker() {
    broker.close();
  }

  private void publishGarbage() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    try (Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      byte[] garbage = "no message of ours".getBytes(StandardCharsets.UTF_8);
      channel.basicPublish(BrokerNames.READINGS, "service.one", null, garbage);
    }
  }

  @InEachMode
  void servesSeveralRobotsAtOnceWhateverElseComes(String mode) throws Exception {
    ServiceSettings settings = settings(broker.uri(), 2, mode, "memory");
    List<Reading> others = Drive.readings(32, 50);
    // The robots listen first: in the second mode the broker delivers again what the first mode's
    // service had not acknowledged, and robots of the same names are told outcomes of other runs.
    try (Robot one = new Robot("one", settings.broker());
        Robot other = new Robot("other", settings.broker());
        Robot idle = new Robot("idle", settings.broker());
        LocalService service = LocalService.start(settings, ALWAYS_SERIALIZE)) {
      one.send(1, readings.get(0));
      one.send(1, readings.get(0));
      publishGarbage();
      CompletableFuture<Robot> driving = CompletableFuture.supplyAsync(() -> one.drive(readings));
      other.drive(others);
      idle.end(0);
      driving.get(60, TimeUnit.SECONDS);

      assertThat(one.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), "one", readings));
      assertThat(other.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), "other", others));
      assertThat(idle.answers().report().processed()).isZero();
      assertThat(idle.answers().result().path()).isEmpty();
    }
  }

  /** Its gateway is gone; outcomes wait for it, as many as there are readings. */
  @Test
  void keepsOnlyTheNewestPosesAndMapsForARobotThatDoesNotRead() throws Exception {
    ServiceSettings settings = settings(broker.uri(), 2, "dataflow", "memory");
    List<Reading> many = Drive.readings(7, 300);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    try (LocalService service = LocalService.start(settings, ALWAYS_SERIALIZE);
        Robot deaf = new Robot("deaf", settings.broker());
        Connection connection = factory.newConnection();
        Channel looking = connection.createChannel()) {
      deaf.stopsListening();
      for (int sequence = 1; sequence <= many.size(); sequence++) {
        deaf.send(sequence, many.get(sequence - 1));
        int answered = sequence;
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(1))
            .until(() -> ready(looking, BrokerNames.certainQueue("deaf")) == answered);
        // Soon, not at once: a broker takes the newest in before it drops the oldest.
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(1))
            .untilAsserted(
                () ->
                    assertThat(ready(looking, BrokerNames.latestQueue("deaf")))
                        .isBetween(1, BrokerNames.LATEST_QUEUE_LENGTH));
      }
    }
  }

  private static int ready(Channel looking, String queue) throws IOException {
    return looking.queueDeclarePassive(queue).getMessageCount();
  }
}
