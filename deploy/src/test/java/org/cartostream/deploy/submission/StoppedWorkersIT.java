package org.cartostream.deploy.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Nightly;
import org.cartostream.topology.Answers;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Robot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * False alarms of a real cluster: workers are stopped (SIGSTOP) for 2 s and go on, while robots
 * drive at 5 Hz. Nothing has died and nothing hangs, so nothing may be restored, and each reading
 * has the serial filter's outcome. Six robots for a minute with one stop; with {@code
 * -Dcartostream.minutes=60} 20 for an hour with ten.
 */
@Nightly(cluster = true)
class StoppedWorkersIT {

  private static final int MINUTES = Integer.getInteger("cartostream.minutes", 1);
  private static final Duration LENGTH = Duration.ofMinutes(MINUTES);

  /** One for each six minutes that have begun. */
  private static final int STOPS = (MINUTES + 5) / 6;

  private static final Duration STOP = Duration.ofSeconds(2);

  /** Fewer in a short drive, beside which other tests run. */
  private static final int ROBOTS = MINUTES > 1 ? 20 : 6;

  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** A robot's run takes a little longer than a minute. */
  private static final int READINGS = 310;

  /** One robot's, before anything counts: the workers have started when it is at its end. */
  private static final int WARM_UP = 50;

  private static final int FIRST_SEED = 100;

  private static final String ALARMS = "restored from reading|is given up|hangs: it has handled";

  @TempDir private Path checkpoints;

  private final AtomicLong restores = new AtomicLong();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicLong outcomes = new AtomicLong();
  private final Queue<String> different = new ConcurrentLinkedQueue<>();
  private final DoubleSummaryStatistics load = new DoubleSummaryStatistics();

  @Test
  void workersThatAreStoppedForTwoSecondsHaveNotDied() throws Exception {
    System.out.printf("seeds %d to %d%n", FIRST_SEED, FIRST_SEED + ROBOTS - 1);
    Map<String, Object> heap = Map.of("worker.heap.memory.mb", 512);
    try (SubmittedService service =
        SubmittedService.start(
            Map.of("tasks", "4", "workers", "2"),
            Map.of("folder", checkpoints.toString()),
            heap,
            Map.of())) {
      service.withRobot("first", robot -> robot.drive(Drive.readings(FIRST_SEED, WARM_UP)));
      for (int robot = 0; robot < ROBOTS; robot++) {
        expected(service, robot); // Worked out now, so that it is not when all robots wait for it.
      }
      service.orLogs(() -> drive(service));
    }
  }

  private void drive(SubmittedService service) throws Exception {
    TestCluster cluster = service.cluster();
    List<ProcessHandle> workers = cluster.workers();
    assertThat(workers).hasSize(2);
    int alarms = cluster.logged(ALARMS).size();
    ExecutorService threads = Executors.newFixedThreadPool(ROBOTS);
    try {
      long begin = System.nanoTime();
      List<Future<?>> driving = new ArrayList<>();
      for (int i = 0; i < ROBOTS; i++) {
        int robot = i;
        driving.add(
            threads.submit(
                () -> {
                  drive(service, robot, begin);
                  return null;
                }));
      }
      for (int stop = 0; stop < STOPS; stop++) {
        sleepUntil(begin + (2L * stop + 1) * LENGTH.toNanos() / (2L * STOPS));
        load.accept(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        stop(workers.get(stop % workers.size()).pid());
        System.out.printf("stop %d; %d runs, %d restores%n", stop + 1, runs.get(), restores.get());
      }
      for (Future<?> each : driving) {
        each.get(LENGTH.toSeconds() + SubmittedService.LONG.toSeconds(), TimeUnit.SECONDS);
      }
      List<String> newAlarms = cluster.logged(ALARMS);
      print(begin, newAlarms.size() - alarms, cluster.workers().equals(workers));
      assertThat(cluster.workers()).as("workers that live on").isEqualTo(workers);
      assertThat(restores).hasValue(0);
      assertThat(newAlarms).hasSize(alarms);
      assertThat(cluster.troubles()).isEmpty();
      assertThat(different).as("robots with other answers than the serial filter's").isEmpty();
    } finally {
      threads.shutdownNow();
    }
  }

  private void print(long begin, int alarms, boolean liveOn) {
    System.out.printf(
        Locale.ROOT,
        "%d robots for %d s, %d stops of %d s: %d outcomes in %d runs; restores %d, alarms %d,"
            + " workers live on: %s; load %.1f to %.1f, mean %.1f%n",
        ROBOTS,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin),
        STOPS,
        STOP.toSeconds(),
        outcomes.get(),
        runs.get(),
        restores.get(),
        alarms,
        liveOn,
        load.getMin(),
        load.getMax(),
        load.getAverage());
  }

  private static String name(int robot) {
    return "r" + robot;
  }

  private static List<Reading> readings(int robot) {
    return Drive.readings(FIRST_SEED + robot, READINGS);
  }

  private static Answers.Result expected(SubmittedService service, int robot) {
    return Answers.serial(service.settings().filter(), name(robot), readings(robot));
  }

  /** Drives one run after another, until time is over. */
  private void drive(SubmittedService service, int number, long begin) throws Exception {
    while (System.nanoTime() - begin < LENGTH.toNanos()) {
      try (Robot robot = new Robot(name(number), service.settings().broker())) {
        long first = System.nanoTime();
        for (int reading = 1; reading <= READINGS; reading++) {
          sleepUntil(first + (reading - 1) * PERIOD_NANOS);
          robot.drive(readings(number), reading, reading);
        }
        robot.end(READINGS);
        runs.incrementAndGet();
        outcomes.addAndGet(robot.answers().result().outcomes().size());
        restores.addAndGet(robot.answers().report().recovery().times());
        if (!robot.answers().result().equals(expected(service, number))) {
          different.add(robot.toString());
        }
      }
    }
  }

  /** Time passes, as in a drive: nothing is waited for. */
  private static void sleepUntil(long nanoTime) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(nanoTime - System.nanoTime());
  }

  private static void stop(long worker) throws Exception {
    signal("STOP", worker);
    long since = System.nanoTime();
    await("stopped").until(() -> state(worker) == 'T');
    sleepUntil(since + STOP.toNanos());
    signal("CONT", worker);
  }

  private static void signal(String name, long process) throws Exception {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(process)).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  /** As the kernel says it, proc(5): T for one that is stopped. */
  private static char state(long process) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}
