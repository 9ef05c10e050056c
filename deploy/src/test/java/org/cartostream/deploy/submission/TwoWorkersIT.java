package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.Robot;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The service on a real cluster, its tasks spread over two processes. A local cluster hands objects
 * over as they are and has one class path; here everything is serialized, and a worker sees only
 * what a worker sees.
 */
class TwoWorkersIT {

  @ParameterizedTest
  @CsvSource({
    "dataflow, memory, '', nothing has come for \\d+ s; this topology is for one robot.*",
    "bsp, tcp, /dev/null/none, 'robot r1, run .* is not durable since reading 0: .*/dev/null.*'"
  })
  void answersAsTheSerialFilterDoes(String mode, String transport, String store, String trouble)
      throws Exception {
    List<Reading> readings = Drive.readings(41, 30);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestCluster testCluster = new TestCluster()) {
      ServiceSettings settings = settings(broker, mode, transport, store);
      await().atMost(Duration.ofSeconds(120)).until(testCluster::isReady);
      testCluster.submit(settings);
      try (Robot robot = new Robot("r1", settings.broker())) {
        robot.drive(readings);

        assertThat(robot.answers().result())
            .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
        assertThat(robot.answers().report().bytesMoved()).isPositive();
        assertThat(testCluster.workersOf(Component.Matchers.class)).hasSize(2);

        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> assertThat(testCluster.troubles()).anyMatch(each -> each.matches(trouble)));
        await().atMost(Duration.ofSeconds(90)).until(testCluster::isEmpty);
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(testCluster.logs(), e);
      }
    }
  }

  private static ServiceSettings settings(
      EmbeddedBroker broker, String mode, String transport, String store) {
    return new ServiceSettings(
        Filters.restless(10),
        Settings.defaults(LocalisationSettings.class),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.build(
            TopologySettings.class,
            Map.of(
                "tasks",
                "4",
                "workers",
                "2",
                "mode",
                mode,
                "collectiveTransport",
                transport,
                "endsWithRobot",
                "true",
                "robotTimeoutSeconds",
                "20")),
        RegistrySettings.defaults(),
        Settings.build(CheckpointSettings.class, Map.of("everySeconds", "0.5", "folder", store)));
  }
}
