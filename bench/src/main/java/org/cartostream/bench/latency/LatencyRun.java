package org.cartostream.bench.latency;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.run.exit.ExitException;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Offers readings to a live gateway at a steady rate and takes the times at which their poses and
 * outcomes come. Owns the times; the gateway's thread and the one that offers write them.
 */
public final class LatencyRun implements LiveListener {

  private static final long MOST_START_SECONDS = 120;
  private static final double NANOS_A_SECOND = 1e9;

  private final Map<Long, Long> offered = new ConcurrentHashMap<>();
  private final Map<Long, Long> poseNanos = new HashMap<>();
  private final Map<Long, Long> outcomeNanos = new HashMap<>();
  private final Set<Long> skipped = ConcurrentHashMap.newKeySet();
  private final CountDownLatch firstOutcome = new CountDownLatch(1);
  private volatile String failure;

  /**
   * Runs to the end.
   *
   * @param rateHertz readings per second
   */
  public void run(
      LiveGateway.Robot robot, BrokerConnector connector, List<Reading> readings, double rateHertz)
      throws InterruptedException {
    try (LiveGateway gateway = LiveGateway.open(robot, this, connector)) {
      Thread driver = new Thread(() -> offerAll(gateway, readings, rateHertz), robot.id());
      driver.setDaemon(true);
      driver.start();
      gateway.run();
      driver.join();
    }
    if (failure != null) {
      throw ExitException.failed(failure);
    }
  }

  private void offerAll(LiveGateway gateway, List<Reading> readings, double rateHertz) {
    try {
      offer(gateway, readings.get(0));
      if (!firstOutcome.await(MOST_START_SECONDS, TimeUnit.SECONDS)) {
        failure = "the service has not answered in " + MOST_START_SECONDS + " s";
        return;
      }
      long due = System.nanoTime();
      for (Reading reading : readings.subList(1, readings.size())) {
        offer(gateway, reading);
        due += (long) (NANOS_A_SECOND / rateHertz);
        LockSupport.parkNanos(due - System.nanoTime());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      gateway.stop();
    }
  }

  private void offer(LiveGateway gateway, Reading reading) {
    offered.put(reading.stampNanos(), System.nanoTime());
    gateway.offer(reading);
  }

  /** Returns the number of readings that were processed. */
  public int processed() {
    return outcomeNanos.size();
  }

  /** Nanoseconds from the offer to the pose, of the readings with these stamps. */
  long[] toPose(Set<Long> stamps) {
    return nanos(poseNanos, stamps);
  }

  /** The same to the outcome. */
  long[] toOutcome(Set<Long> stamps) {
    return nanos(outcomeNanos, stamps);
  }

  /** Number of these readings that were not sent because the filter was busy. */
  long skipped(Set<Long> stamps) {
    Set<Long> both = new HashSet<>(stamps);
    both.retainAll(skipped);
    return both.size();
  }

  private static long[] nanos(Map<Long, Long> times, Set<Long> stamps) {
    return times.entrySet().stream()
        .filter(entry -> stamps.contains(entry.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sorted()
        .toArray();
  }

  @Override
  public void onPose(Reading reading, PoseMessage pose) {
    take(reading, poseNanos);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    if (outcome instanceof Outcome.Processed) {
      take(reading, outcomeNanos);
    }
    firstOutcome.countDown();
  }

  private void take(Reading reading, Map<Long, Long> times) {
    times.put(reading.stampNanos(), System.nanoTime() - offered.get(reading.stampNanos()));
  }

  @Override
  public void onSkipped(long stampNanos, SkipReason why) {
    skipped.add(stampNanos);
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
    // Its time is not measured.
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {
    // Its time is not measured.
  }

  @Override
  public void onRestart(String why) {
    failure = "the service began anew: " + why;
  }

  @Override
  public void onOutage(String why) {
    failure = "the broker was away: " + why;
  }

  @Override
  public void onReconnect() {
    // The outage has made the run useless.
  }
}
