package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Robot;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Workers of a real cluster in which a task hangs at a reading, or which end at one each time. The
 * dispatcher is in the same worker, so that nobody is left who counts.
 */
class FailingWorkerIT {

  private static final long BAD = 20;
  private static final int HUNG_SECONDS = 10;

  /**
   * Two from one checkpoint, and two with the reading alone; more if a checkpoint comes between.
   */
  private static final int LEAST_DEATHS = 4;

  private final List<Reading> readings = Drive.readings(41, 40);

  @TempDir private Path checkpoints;

  @ParameterizedTest
  @CsvSource({
    "org.cartostream.slam.preprocess.ReadingFilter, decide, dataflow",
    "org.cartostream.topology.match.PartitionWorker, take, bsp",
    "org.cartostream.topology.publish.RunPublisher, admitted, dataflow"
  })
  void aReadingThatEndsItsWorkerEachTimeIsRefused(String type, String method, String mode)
      throws Exception {
    AtomicInteger deaths = new AtomicInteger();
    WorkerDebugger.Fault fault =
        (worker, reading) -> {
          if (reading == BAD) {
            deaths.incrementAndGet();
            worker.exit(1);
          }
          return true;
        };
    drive(
        new WorkerDebugger(type, method, fault),
        mode,
        (robot, service) -> {
          assertThat(robot.answers().outcome(BAD))
              .startsWith("Refused[refusal=FAILS,")
              .contains("the service's process ended at it, twice");
          assertThat(robot.answers().report().refused()).isOne();
          Answers.Result without =
              Answers.serialWithout(Set.of(BAD), service.settings().filter(), "r1", readings);
          assertThat(robot.answers().result().path()).isEqualTo(without.path());
          assertThat(robot.answers().result().map()).isEqualTo(without.map());
          assertThat(deaths.get()).isGreaterThanOrEqualTo(LEAST_DEATHS);
          System.out.printf("%s, %s: found at the death %d%n", type, mode, deaths.get());
          assertThat(checkpoints.resolve("failed-r1-" + BAD + ".json")).exists();
        });
  }

  @ParameterizedTest
  @CsvSource({
    "org.cartostream.topology.match.PartitionWorker, take, dataflow",
    "org.cartostream.topology.match.PartitionWorker, take, bsp",
    "org.cartostream.topology.publish.RunPublisher, admitted, dataflow"
  })
  void aTaskThatHangsCostsItsWorkerAndNoReading(String type, String method, String mode)
      throws Exception {
    AtomicLong hungAt = new AtomicLong();
    WorkerDebugger.Fault fault =
        (worker, reading) -> reading != BAD || !hungAt.compareAndSet(0, System.nanoTime());
    drive(
        new WorkerDebugger(type, method, fault),
        mode,
        (robot, service) -> {
          assertThat(hungAt.get()).as("it hung").isNotZero();
          assertThat(robot.answers().result())
              .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
          String hangs = "it has handled one message for 1\\d s \\(topology.hungSec";
          assertThat(service.cluster().logged(hangs)).isNotEmpty();
          String stack = type + "\\." + method + "\\(";
          assertThat(service.cluster().logged(stack)).as("its stack").isNotEmpty();
          long seconds = TimeUnit.NANOSECONDS.toSeconds(servedAt.get() - hungAt.get());
          System.out.printf(
              Locale.ROOT,
              "%s, %s: from hanging until it was served %d s, of which topology.hungSeconds %d%n",
              type,
              mode,
              seconds,
              HUNG_SECONDS);
        });
  }

  private final AtomicLong servedAt = new AtomicLong();

  private interface Check {
    void that(Robot robot, SubmittedService service) throws Exception;
  }

  private void drive(WorkerDebugger debugger, String mode, Check check) throws Exception {
    String seconds = Integer.toString(HUNG_SECONDS);
    try (debugger;
        SubmittedService service =
            SubmittedService.start(
                Map.of(
                    "tasks",
                    "2",
                    "workers",
                    "1",
                    "mode",
                    mode,
                    "hungSeconds",
                    seconds,
                    "readingTimeoutSeconds",
                    seconds),
                Map.of("everySeconds", "7", "folder", checkpoints.toString()),
                Map.of("worker.childopts", "-Xmx%HEAP-MEM%m " + debugger.jvmOption()),
                Map.of())) {
      service.withRobot(
          "r1",
          robot -> {
            robot.drive(readings, 1, (int) BAD);
            await()
                .atMost(SubmittedService.LONG)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> robot.answers().outcome(BAD) != null);
            servedAt.set(System.nanoTime());
            robot.drive(readings, (int) BAD + 1, readings.size());
            robot.end(readings.size());
            check.that(robot, service);
          });
    }
  }
}
