package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The service on a real cluster, its tasks spread over two processes. A local cluster hands objects
 * over as they are and has one class path; here everything is serialized, and a worker sees only
 * what a worker sees.
 */
@Default(cluster = true)
class TwoWorkersIT {

  /** Key frames and decisions reach the matchers of both by broadcast, and none is missed. */
  @Test
  void nothingIsLostBetweenTwoWorkers() throws Exception {
    List<Reading> readings = Drive.readings(43, 20);
    try (SubmittedService service =
        SubmittedService.start(Map.of("tasks", "3", "workers", "2"), Map.of())) {
      service.withRobot(
          "r1",
          robot -> {
            robot.drive(readings);
            assertThat(robot.answers().result())
                .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
            assertThat(robot.answers().report().recovery().times()).isZero();
            assertThat(service.cluster().workersOf(Component.Matchers.class)).hasSize(2);
          });
    }
  }

  @Nightly(cluster = true)
  @ParameterizedTest
  @CsvSource({
    "dataflow, memory, '', nothing has come for \\d+ s; this topology is for one robot.*",
    "bsp, shared-memory, /dev/null/none, 'robot r1, run .* is not durable since reading 0: .*/dev/null.*'"
  })
  void answersAsTheSerialFilterDoes(String mode, String transport, String store, String trouble)
      throws Exception {
    List<Reading> readings = Drive.readings(41, 30);
    try (SubmittedService service =
        SubmittedService.start(
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
                "20"),
            Map.of("everySeconds", "0.5", "folder", store))) {
      TestCluster cluster = service.cluster();
      service.withRobot(
          "r1",
          robot -> {
            robot.drive(readings);

            assertThat(robot.answers().result())
                .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
            assertThat(robot.answers().report().bytesMoved()).isPositive();
            assertThat(cluster.workersOf(Component.Matchers.class)).hasSize(2);

            await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(
                    () -> assertThat(cluster.troubles()).anyMatch(each -> each.matches(trouble)));
            await().atMost(Duration.ofSeconds(90)).until(cluster::isEmpty);
          });
    }
  }
}
