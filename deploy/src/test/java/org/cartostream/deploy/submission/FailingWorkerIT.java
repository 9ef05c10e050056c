package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Robot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Workers of a real cluster in which a task fails or hangs at a reading, or which end at one each
 * time, with the dispatcher in them or without. It prints how long that takes.
 */
@Default(cluster = true)
class FailingWorkerIT {

  private static final long BAD = 20;
  private static final int HUNG_SECONDS = 10;

  /**
   * Two from one checkpoint, and two with the reading alone; more if a checkpoint comes between.
   */
  private static final int MIN_DEATHS = 4;

  /** Exceptions within one robot's readings: at each tenth. */
  private static final int FAILURES = 4;

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final List<Reading> STEADY = Drive.readings(42, 200);

  private final List<Reading> readings = Drive.readings(41, 40);

  @TempDir private Path checkpoints;

  @Nightly(cluster = true)
  @ParameterizedTest
  @CsvSource({
    "org.cartostream.slam.preprocess.ReadingFilter, decide, dataflow, true",
    "org.cartostream.topology.match.PartitionWorker, take, bsp, true",
    "org.cartostream.topology.publish.RunPublisher, admitted, dataflow, true",
    "org.cartostream.topology.match.PartitionWorker, take, dataflow, false"
  })
  void aReadingThatEndsItsWorkerEachTimeIsRefused(
      String type, String method, String mode, boolean isWithDispatcher) throws Exception {
    AtomicInteger deaths = new AtomicInteger();
    AtomicLong firstAt = new AtomicLong();
    WorkerDebugger.Fault fault =
        (thread, reading) -> {
          if (reading == BAD && WorkerDebugger.hasDispatcher(thread) == isWithDispatcher) {
            firstAt.compareAndSet(0, System.nanoTime());
            deaths.incrementAndGet();
            thread.virtualMachine().exit(1);
          }
          return true;
        };
    drive(
        new WorkerDebugger(type, method, fault),
        mode,
        isWithDispatcher ? 1 : 2,
        (robot, service) -> {
          assertThat(robot.answers().outcome(BAD))
              .startsWith("Refused[refusal=FAILS,")
              .contains("the service's process ended at it, twice");
          assertThat(robot.answers().report().refused()).isOne();
          Answers.Result without =
              Answers.serialWithout(Set.of(BAD), service.settings().filter(), "r1", readings);
          assertThat(robot.answers().result().path()).isEqualTo(without.path());
          assertThat(robot.answers().result().map()).isEqualTo(without.map());
          assertThat(deaths.get()).isGreaterThanOrEqualTo(MIN_DEATHS);
          long seconds = TimeUnit.NANOSECONDS.toSeconds(servedAt.get() - firstAt.get());
          System.out.printf(
              "%s, %s: found at the death %d, %d s after the first%n",
              type, mode, deaths.get(), seconds);
          assertThat(checkpoints.resolve("failed-r1-" + BAD + ".json")).exists();
        });
  }

  @Test
  void aMatcherThatHangsCostsItsWorkerAndNoReading() throws Exception {
    aTaskThatHangsCostsItsWorkerAndNoReading(
        "org.cartostream.topology.match.PartitionWorker", "take", "dataflow");
  }

  @Nightly(cluster = true)
  @ParameterizedTest
  @CsvSource({
    "org.cartostream.topology.match.PartitionWorker, take, bsp",
    "org.cartostream.topology.publish.RunPublisher, admitted, dataflow"
  })
  void aTaskThatHangsCostsItsWorkerAndNoReading(String type, String method, String mode)
      throws Exception {
    AtomicLong hungAt = new AtomicLong();
    WorkerDebugger.Fault fault =
        (thread, reading) -> reading != BAD || !hungAt.compareAndSet(0, System.nanoTime());
    drive(
        new WorkerDebugger(type, method, fault),
        mode,
        1,
        (robot, service) -> {
          assertThat(hungAt.get()).as("it hung").isNotZero();
          assertThat(robot.answers().result())
              .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
          assertThat(
                  service
                      .cluster()
                      .logged("it has handled one message for 1\\d s \\(topology.hungSec"))
              .isNotEmpty();
          assertThat(service.cluster().logged(type + "\\." + method + "\\("))
              .as("its stack")
              .isNotEmpty();
          System.out.printf(
              Locale.ROOT,
              "%s, %s: served %.1f s after topology.hungSeconds (%d) from hanging%n",
              type,
              mode,
              (servedAt.get() - hungAt.get()) / 1e9 - HUNG_SECONDS,
              HUNG_SECONDS);
        });
  }

  private final AtomicLong servedAt = new AtomicLong();

  private interface Check {
    void that(Robot robot, SubmittedService service) throws Exception;
  }

  /** Four times, while another robot drives at 5 Hz; before that it was alone. For its times. */
  @Nightly(cluster = true)
  @EnabledIfSystemProperty(named = "cartostream.soak", matches = "true")
  @ParameterizedTest
  @CsvSource({
    "org.cartostream.topology.match.PartitionWorker, take, dataflow",
    "org.cartostream.topology.match.PartitionWorker, take, bsp",
    "org.cartostream.topology.publish.RunPublisher, admitted, dataflow"
  })
  void anExceptionCostsNoReading(String type, String method, String mode) throws Exception {
    Set<Long> bad =
        ConcurrentHashMap.newKeySet(); // Of r1 only, for r2 is far beyond when it fails.
    AtomicLong failedAt = new AtomicLong();
    WorkerDebugger.Fault fault =
        (thread, reading) -> {
          if (bad.remove(reading)) {
            failedAt.set(System.nanoTime());
            WorkerDebugger.fail(thread);
          }
          return true;
        };
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (WorkerDebugger debugger = new WorkerDebugger(type, method, fault);
        SubmittedService service = service(debugger, mode, 1)) {
      service.withRobot(
          "r2",
          bystander -> {
            steady(bystander, 1, 50); // Until Java has compiled what it needs.
            long[] alone = steady(bystander, 51, 125);
            Future<long[]> beside = other.submit(() -> steady(bystander, 126, 200));
            long worst = 0;
            try (Robot robot = new Robot("r1", service.settings().broker())) {
              for (int last = 5; last <= readings.size(); last += 5) {
                robot.drive(readings, last - 4, last - 1);
                boolean fails = last % 2 == 0;
                if (fails) {
                  bad.add((long) last);
                }
                robot.drive(readings, last, last);
                awaitOutcome(robot, last);
                worst = fails ? Math.max(worst, System.nanoTime() - failedAt.get()) : worst;
              }
              robot.end(readings.size());
              assertThat(bad).as("readings at which it did not fail").isEmpty();
              assertThat(robot.answers().report().recovery().times())
                  .isGreaterThanOrEqualTo(FAILURES);
              assertThat(robot.answers().result())
                  .isEqualTo(Answers.serial(service.settings().filter(), "r1", readings));
            }
            System.out.printf(
                Locale.ROOT,
                "%s, %s: from an exception until its reading was served %.2f s at most of %d;"
                    + " another robot's p99 %d ms, %d ms before%n",
                type,
                mode,
                worst / 1e9,
                FAILURES,
                p99(beside.get(SubmittedService.LONG.toSeconds(), TimeUnit.SECONDS)),
                p99(alone));
            assertThat(bystander.end(200).answers().result())
                .isEqualTo(Answers.serial(service.settings().filter(), "r2", STEADY));
          });
    } finally {
      other.shutdownNow();
    }
  }

  private static void awaitOutcome(Robot robot, long reading) {
    await()
        .atMost(SubmittedService.LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> robot.answers().outcome(reading) != null);
  }

  /**
   * Sends one reading each period, or when the one before is answered.
   *
   * @return milliseconds from each one's time until its outcome was there
   */
  private static long[] steady(Robot robot, int from, int to) throws InterruptedException {
    long[] millis = new long[to - from + 1];
    long first = System.nanoTime();
    for (int i = 0; i < millis.length; i++) {
      long due = first + i * PERIOD_NANOS;
      TimeUnit.NANOSECONDS.sleep(due - System.nanoTime()); // Its pace, no wait for anything.
      robot.drive(STEADY, from + i, from + i);
      awaitOutcome(robot, from + i);
      millis[i] = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - due);
    }
    return millis;
  }

  private static long p99(long[] millis) {
    Arrays.sort(millis);
    return millis[(int) Math.ceil(0.99 * millis.length) - 1];
  }

  private SubmittedService service(WorkerDebugger debugger, String mode, int workers)
      throws Exception {
    String seconds = Integer.toString(HUNG_SECONDS);
    return SubmittedService.start(
        Map.of(
            "tasks",
            "2",
            "workers",
            Integer.toString(workers),
            "mode",
            mode,
            "hungSeconds",
            seconds,
            "readingTimeoutSeconds",
            seconds),
        Map.of("everySeconds", "7", "folder", checkpoints.toString()),
        Map.of("worker.childopts", "-Xmx%HEAP-MEM%m " + debugger.jvmOption()),
        Map.of());
  }

  private void drive(WorkerDebugger debugger, String mode, int workers, Check check)
      throws Exception {
    try (debugger;
        SubmittedService service = service(debugger, mode, workers)) {
      service.withRobot(
          "r1",
          robot -> {
            robot.drive(readings, 1, (int) BAD);
            awaitOutcome(robot, BAD);
            servedAt.set(System.nanoTime());
            robot.drive(readings, (int) BAD + 1, readings.size());
            robot.end(readings.size());
            check.that(robot, service);
          });
    }
  }
}
