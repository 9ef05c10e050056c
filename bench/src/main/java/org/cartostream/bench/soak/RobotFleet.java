package org.cartostream.bench.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Group of robots that drive at the same time. Owns a thread for each. Not thread-safe. */
final class RobotFleet {

  /** Time after the drive in which the runs have to end in order, seconds. */
  private static final long END_SECONDS = 90;

  /**
   * Further time for each run, seconds, as the loops of the runs are closed one after the other.
   */
  private static final long CLOSING_SECONDS = 30;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<DrivingRobot> robots;
  private final List<Future<?>> drives = new ArrayList<>();

  private RobotFleet(List<DrivingRobot> robots) {
    this.robots = robots;
  }

  /**
   * Starts to drive robots.
   *
   * @param seed seed of the first robot's first exploration; no two explorations have the same seed
   */
  public static RobotFleet start(List<DrivingRobot> robots, long seed) {
    RobotFleet robotFleet = new RobotFleet(robots);
    for (int i = 0; i < robots.size(); i++) {
      DrivingRobot robot = robots.get(i);
      long first = seed + i;
      robotFleet.drives.add(
          robotFleet.threads.submit(
              () -> {
                robot.drive(first, robots.size());
                return null;
              }));
    }
    return robotFleet;
  }

  /** Returns the number of readings that wait at the robots. */
  public int waiting() {
    return robots.stream().mapToInt(DrivingRobot::waiting).sum();
  }

  /** Returns why a robot drives no more, for people; empty as long as all drive. */
  public Optional<String> failure() throws InterruptedException {
    for (Future<?> drive : drives) {
      if (drive.isDone()) {
        return Optional.of(failure(drive, 0).orElse("a robot has stopped by itself"));
      }
    }
    return Optional.empty();
  }

  /** Ends all runs in order; returns what went wrong, for people, or empty. */
  public Optional<String> stop() throws InterruptedException {
    robots.forEach(DrivingRobot::stop);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(endSeconds());
    try {
      for (Future<?> drive : drives) {
        Optional<String> failure = failure(drive, Math.max(0, end - System.nanoTime()));
        if (failure.isPresent()) {
          return failure;
        }
      }
      return Optional.empty();
    } finally {
      threads.shutdownNow();
    }
  }

  private long endSeconds() {
    return END_SECONDS + CLOSING_SECONDS * robots.size();
  }

  private Optional<String> failure(Future<?> drive, long nanos) throws InterruptedException {
    try {
      drive.get(nanos, TimeUnit.NANOSECONDS);
      return Optional.empty();
    } catch (TimeoutException e) {
      return Optional.of("a robot's run has not ended after " + endSeconds() + " s");
    } catch (ExecutionException e) {
      return Optional.of("a robot could not drive: " + e.getCause().getMessage());
    }
  }
}
