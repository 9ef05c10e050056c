package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The service on a real cluster, its tasks spread over two processes. A local cluster hands objects
 * over as they are and has one class path; here everything is serialized, and a worker sees only
 * what a worker sees.
 */
class TwoWorkersTest {

  @ParameterizedTest
  @CsvSource({"dataflow,memory", "bsp,tcp"})
  void answersAsTheSerialFilterDoes(String mode, String carrier) throws Exception {
    List<Reading> readings = Drive.readings(41, 30);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        Cluster cluster = new Cluster()) {
      ServiceSettings settings = settings(broker, mode, carrier);
      await().atMost(Duration.ofSeconds(120)).until(cluster::isReady);
      cluster.submit(settings);
      try (Robot robot = new Robot("r1", settings.broker())) {
        robot.drive(readings);

        assertThat(robot.answers().result())
            .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
        assertThat(robot.answers().report().bytesMoved()).isPositive();
        assertThat(cluster.workersOf(Party.Matchers.class)).hasSize(2);
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(cluster.logs(), e);
      }
    }
  }

  private static ServiceSettings settings(EmbeddedBroker broker, String mode, String carrier) {
    return new ServiceSettings(
        Filters.restless(10),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.build(
            TopologySettings.class,
            Map.of("tasks", "4", "workers", "2", "mode", mode, "carrier", carrier)));
  }
}
