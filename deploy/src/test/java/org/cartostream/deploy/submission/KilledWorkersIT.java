package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
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
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.Robot;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Workers of a real cluster are killed (kill -9) while a robot drives: each of the two in turn, and
 * both at once. Its answers, its path and its map are those of the serial filter, to the last bit.
 */
class KilledWorkersIT {

  private static final int READINGS = 60;

  @TempDir private Path checkpoints;

  @ParameterizedTest
  @CsvSource({"dataflow,memory", "bsp,tcp"})
  void changeNothing(String mode, String transport) throws Exception {
    List<Reading> readings = Drive.readings(41, READINGS);
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        TestCluster cluster = new TestCluster()) {
      ServiceSettings settings = settings(broker, mode, transport);
      await().atMost(Duration.ofSeconds(120)).until(cluster::isReady);
      cluster.submit(settings);
      try (Robot robot = new Robot("r1", settings.broker())) {
        robot.drive(readings, 1, 15);
        cluster.killWorker(0);
        robot.drive(readings, 16, 30);
        cluster.killWorker(1);
        robot.drive(readings, 31, 45);
        cluster.killWorker(0);
        cluster.killWorker(1);
        robot.drive(readings, 46, READINGS);
        robot.end(READINGS);

        assertThat(robot.answers().result())
            .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
        assertThat(robot.answers().report().recovery().times()).isPositive();
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(cluster.logs(), e);
      }
    }
  }

  private ServiceSettings settings(EmbeddedBroker broker, String mode, String transport) {
    CheckpointSettings defaults = Settings.defaults(CheckpointSettings.class);
    return new ServiceSettings(
        Filters.restless(10),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.build(
            TopologySettings.class,
            Map.of("tasks", "4", "workers", "2", "mode", mode, "collectiveTransport", transport)),
        RegistrySettings.defaults(),
        new CheckpointSettings(1, checkpoints.toString(), defaults.heldReadings()));
  }
}
