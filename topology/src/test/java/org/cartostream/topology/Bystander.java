package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * A robot at 5 Hz, alone at first, then while others attack the service: its answers are those of
 * the serial filter, and 99 % of them come within a quarter of a second, or three times the time
 * that they took before. For 20 s, and on a machine that is busy already the times are only
 * printed; with {@code -Dcartostream.soak=true} for 120 s, and the bound holds on any machine.
 */
final class Bystander {

  private static final int PERIOD_MILLIS = 200;

  /** The first readings wait for Java's compiler. */
  private static final int WARM_UP = 15;

  private static final int ALONE = 50;
  private static final boolean SOAK = Boolean.getBoolean("cartostream.soak");
  private static final int ATTACKED = (SOAK ? 120 : 20) * 1000 / PERIOD_MILLIS;
  private static final long BOUND_MILLIS = 250;

  /** Of the processes that run or want to, for each processor. */
  private static final double BUSY = 2;

  /** As a gateway: so many unanswered at most. */
  private static final int CREDIT = 2;

  private Bystander() {}

  /** What others do meanwhile. */
  interface Attack {
    /**
     * @param goesOn false when it is to end
     */
    void run(BooleanSupplier goesOn) throws Exception;
  }

  /** Drives, and checks its answers when the attack has ended. */
  static void drive(String name, ServiceSettings settings, Attack attack) throws Exception {
    OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    double load = machine.getSystemLoadAverage() / machine.getAvailableProcessors();
    List<Reading> readings = Drive.readings(21, WARM_UP + ALONE + ATTACKED);
    ScheduledExecutorService threads = Executors.newScheduledThreadPool(4);
    AtomicBoolean goesOn = new AtomicBoolean(true);
    try (Robot robot = new Robot(name, settings.broker())) {
      robot.drive(readings, 1, WARM_UP);
      long alone = p99(drive(threads, robot, readings, WARM_UP, ALONE));
      Future<?> attacking =
          threads.submit(
              () -> {
                attack.run(goesOn::get);
                return null;
              });
      long attacked = p99(drive(threads, robot, readings, WARM_UP + ALONE, ATTACKED));
      goesOn.set(false);
      attacking.get(5, TimeUnit.MINUTES);
      robot.end(readings.size());

      System.out.printf("p99 %d ms, %d ms alone, load %.1f%n", attacked, alone, load);
      assertThat(robot.answers().report().recovery().times()).isZero();
      assertThat(robot.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), name, readings));
      if (SOAK || load < BUSY) {
        assertThat(attacked).as("ms").isLessThanOrEqualTo(Math.max(3 * alone, BOUND_MILLIS));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Sends one reading each period, or when its credit allows it.
   *
   * @return milliseconds from each one's time until its outcome was there
   */
  private static long[] drive(
      ScheduledExecutorService threads, Robot robot, List<Reading> readings, int after, int count)
      throws Exception {
    List<Future<Long>> all = new ArrayList<>();
    long first = System.nanoTime();
    for (int i = 0; i < count; i++) {
      int number = after + 1 + i;
      long due = first + TimeUnit.MILLISECONDS.toNanos((long) PERIOD_MILLIS * i);
      threads
          .schedule(
              () -> {
                robot.awaitAnswers(number - CREDIT);
                robot.send(number, readings.get(number - 1));
              },
              due - System.nanoTime(),
              TimeUnit.NANOSECONDS)
          .get();
      all.add(
          threads.submit(
              () -> {
                robot.awaitAnswers(number);
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - due);
              }));
    }
    long[] millis = new long[count];
    for (int i = 0; i < count; i++) {
      millis[i] = all.get(i).get(5, TimeUnit.MINUTES);
    }
    return millis;
  }

  private static long p99(long[] millis) {
    Arrays.sort(millis);
    return millis[(int) Math.ceil(0.99 * millis.length) - 1];
  }
}
