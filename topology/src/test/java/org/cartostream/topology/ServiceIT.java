package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.awaitility.Awaitility;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.codec.FrameFragmentation;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.local.LocalService;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service in Storm's local cluster, behind an embedded broker. */
@Default
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServiceIT {

  static final Map<String, Object> ALWAYS_SERIALIZE =
      Map.of(Config.TOPOLOGY_TESTING_ALWAYS_TRY_SERIALIZE, true);

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

  static ServiceSettings settings(String uri, int tasks, String mode, String transport) {
    return new ServiceSettings(
        Filters.restless(10),
        BrokerSettings.defaults().withUri(uri),
        Settings.build(
            TopologySettings.class,
            Map.of(
                "tasks",
                Integer.toString(tasks),
                "mode",
                mode,
                "collectiveTransport",
                transport,
                "mapIntervalSeconds",
                "0.1",
                // Particles move by their poses, and by tiles.
                "rebuildKeyFrames",
                "3")));
  }

  @ParameterizedTest
  @CsvSource({"4,dataflow,memory", "2,bsp,tcp"})
  void answersAsTheSerialFilterDoes(int tasks, String mode, String transport) {
    answersAsTheSerialFilter(tasks, mode, transport);
  }

  @Nightly
  @ParameterizedTest
  @CsvSource({
    "1,dataflow,memory",
    "2,dataflow,memory",
    "1,bsp,memory",
    "2,bsp,memory",
    "4,bsp,memory",
    "8,bsp,memory",
    "4,bsp,tcp",
    "3,bsp,rabbitmq"
  })
  void answersAlikeOnAnyNumberOfTasksInEitherModeByAnyTransport(
      int tasks, String mode, String transport) {
    answersAsTheSerialFilter(tasks, mode, transport);
  }

  private void answersAsTheSerialFilter(int tasks, String mode, String transport) {
    ServiceSettings settings = settings(broker.uri(), tasks, mode, transport);
    String name = mode + "-" + transport + "-" + tasks;
    try (LocalService service = LocalService.start(settings, ALWAYS_SERIALIZE);
        Robot robot = new Robot(name, settings.broker())) {
      robot.drive(readings);

      assertThat(robot.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), name, readings));
      assertThat(robot.answers().report().refused()).isEqualTo(1);
      assertThat(robot.answers().report().tasks()).isEqualTo(tasks);
      assertThat(robot.answers().report().bytesMoved() > 0).isEqualTo(tasks > 1);
      assertThat(robot.answers().report().stageNanos())
          .containsOnlyKeys("match", "resample", "exchange", "mapUpdate", "publish");
    }
  }

  /** Two of the largest messages at once are one more than a robot may send: the last, number 9. */
  @Test
  void countsWhatIsTooLargeSaysSoAndAnswersItsRobotsReadings() throws Exception {
    int max = 4 << 20;
    ServiceSettings settings =
        Settings.with(
            settings(broker.uri(), 2, "dataflow", "memory"),
            Map.of("broker.maxMessageBytes", Integer.toString(max)));
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Metrics.addRegistry(meters);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(broker.uri());
    try (LocalService service = LocalService.start(settings);
        Robot robot = new Robot("large", settings.broker());
        Connection connection = factory.newConnection()) {
      String key = BrokerNames.keyOfReadings(settings.broker().service(), robot.toString());
      Scan scan = new Scan(Pose.ORIGIN, -1, 1e-6, 0.1, 8, new float[max / Float.BYTES - 1000]);
      ReadingMessage large = new ReadingMessage(new Reading(1, Pose.ORIGIN, scan));
      for (int sequence = 8; sequence <= 9; sequence++) {
        Envelope envelope = new Envelope(robot.toString(), robot.run(), sequence, 1, large);
        byte[] piece = FrameFragmentation.of(new Codec(max).encode(envelope)).get(0);
        connection.createChannel().basicPublish(BrokerNames.READINGS, key, null, piece);
      }
      robot.drive(readings, 1, 5);
      robot.awaitAnswers(5);
      Supplier<Double> dropped =
          () -> meters.counter("cartostream.dropped.messages", "reason", "TOO_LARGE").count();
      Awaitility.await().until(dropped::get, count -> count == 1);
      Awaitility.await()
          .until(
              () -> robot.answers().all(), told -> told.stream().anyMatch(ServiceIT::isOfTheLast));
    } finally {
      Metrics.removeRegistry(meters);
    }
  }

  private static boolean isOfTheLast(Envelope answer) {
    return answer.sequence() == 9 && answer.body() instanceof DroppedMessage;
  }

  /** Where RabbitMQ is installed. */
  @Nightly
  @Test
  void answersAlikeIfItsTasksTalkThroughARealRabbitMq() throws Exception {
    LocalRabbitMq.missing().ifPresent(why -> Assumptions.abort(why));
    try (LocalRabbitMq node = LocalRabbitMq.started()) {
      ServiceSettings settings = settings(node.uri(), 3, "bsp", "rabbitmq");
      try (LocalService service = LocalService.start(settings, ALWAYS_SERIALIZE);
          Robot robot = new Robot("rabbit", settings.broker())) {
        robot.drive(readings);

        assertThat(robot.answers().result())
            .isEqualTo(Answers.serial(settings.filter(), "rabbit", readings));
        assertThat(robot.answers().report().bytesMoved()).isPositive();
      }
    }
  }
}
