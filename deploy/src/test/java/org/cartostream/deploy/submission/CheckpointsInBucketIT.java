package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.cartostream.checkpoint.MotoServer;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Robot;
import org.junit.jupiter.api.Test;

/** A real cluster whose checkpoints are in a bucket of S3, by a server on this machine. */
@Nightly(cluster = true)
class CheckpointsInBucketIT {

  private static final Pattern MANIFEST = Pattern.compile("/\\d+-(\\d+)\\.json<");

  private final List<Reading> readings = Drive.readings(41, 60);

  @Test
  void aRunSurvivesTheDeathOfAllWorkersAndAStoreThatIsAwayForAWhile() throws Exception {
    try (MotoServer store = MotoServer.start();
        SubmittedService service =
            SubmittedService.start(
                Map.of("tasks", "4", "workers", "2", "readingTimeoutSeconds", "10"),
                Map.of("everySeconds", "1", "folder", "s3://" + MotoServer.BUCKET + "/service"),
                Map.of(),
                store.environment())) {
      service.withRobot("r1", robot -> driveThroughDeaths(robot, service, store));
    }
  }

  private void driveThroughDeaths(Robot robot, SubmittedService service, MotoServer store)
      throws Exception {
    TestCluster cluster = service.cluster();
    robot.drive(readings, 1, 20);
    await().atMost(SubmittedService.LONG).until(() -> durable(store) > 0);
    assertThat(cluster.killWorkers()).isGreaterThanOrEqualTo(2);
    robot.drive(readings, 21, 30);
    await().atMost(SubmittedService.LONG).until(() -> durable(store) > 20);

    store.stall();
    robot.drive(readings, 31, 40);
    await()
        .atMost(SubmittedService.LONG)
        .until(() -> cluster.troubles().stream().anyMatch(each -> each.contains("not durable")));
    robot.drive(readings, 41, 50);
    store.resume();
    await().atMost(SubmittedService.LONG).until(() -> durable(store) > 40);

    assertThat(cluster.killWorkers()).isGreaterThanOrEqualTo(2);
    robot.drive(readings, 51, 60);
    robot.end(60);
    assertThat(robot.answers().report().recovery().reading()).isGreaterThan(40);
    assertThat(robot.answers().result())
        .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
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
}
