package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.checkpoint.MotoServer;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.Robot;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

/** A real cluster whose checkpoints are in a bucket of S3, by a server on this machine. */
class CheckpointsInBucketIT {

  private static final Duration LONG = Duration.ofSeconds(180);
  private static final Pattern MANIFEST = Pattern.compile("/\\d+-(\\d+)\\.json<");

  private final List<Reading> readings = Drive.readings(41, 60);

  @Test
  void aRunSurvivesTheDeathOfAllWorkersAndAStoreThatIsAwayForAWhile() throws Exception {
    try (MotoServer store = MotoServer.start();
        EmbeddedBroker broker = EmbeddedBroker.start();
        TestCluster cluster = new TestCluster(Map.of(), store.environment())) {
      ServiceSettings settings = settings(broker, "s3://" + MotoServer.BUCKET + "/service");
      await().atMost(LONG).until(cluster::isReady);
      cluster.submit(settings);
      try (Robot robot = new Robot("r1", settings.broker())) {
        robot.drive(readings, 1, 20);
        await().atMost(LONG).until(() -> durable(store) > 0);
        assertThat(cluster.killWorkers()).isGreaterThanOrEqualTo(2);
        robot.drive(readings, 21, 30);
        await().atMost(LONG).until(() -> durable(store) > 20);

        store.stall();
        robot.drive(readings, 31, 40);
        await()
            .atMost(LONG)
            .until(
                () -> cluster.troubles().stream().anyMatch(each -> each.contains("not durable")));
        robot.drive(readings, 41, 50);
        store.goOn();
        await().atMost(LONG).until(() -> durable(store) > 40);

        assertThat(cluster.killWorkers()).isGreaterThanOrEqualTo(2);
        robot.drive(readings, 51, 60);
        robot.end(60);
        assertThat(robot.answers().report().recovery().reading()).isGreaterThan(40);
        assertThat(robot.answers().result())
            .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
      } catch (ConditionTimeoutException | AssertionError e) {
        throw new AssertionError(cluster.logs(), e);
      }
    }
  }

  /** The last reading in the latest checkpoint; 0 if there is none. */
  private static long durable(MotoServer store) throws Exception {
    return MANIFEST
        .matcher(store.list())
        .results()
        .mapToLong(each -> Long.parseLong(each.group(1)))
        .max()
        .orElse(0);
  }

  private static ServiceSettings settings(EmbeddedBroker broker, String store) {
    return new ServiceSettings(
        Filters.restless(10),
        Settings.defaults(LocalisationSettings.class),
        BrokerSettings.defaults().withUri(broker.uri()),
        Settings.build(
            TopologySettings.class,
            Map.of("tasks", "4", "workers", "2", "readingTimeoutSeconds", "10")),
        RegistrySettings.defaults(),
        Settings.build(CheckpointSettings.class, Map.of("everySeconds", "1", "folder", store)));
  }
}
