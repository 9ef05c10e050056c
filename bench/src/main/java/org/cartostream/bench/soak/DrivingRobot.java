package org.cartostream.bench.soak;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.live.LiveGateway;
import org.cartostream.gateway.live.LiveListener;
import org.cartostream.sim.robot.Simulation;
import org.cartostream.sim.world.SdfWorld;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;

/**
 * Simulated robot that explores a world at the pace of its laser, with a live gateway; when it has
 * seen everything, its run ends and it begins again.
 *
 * <p>Owns its gateway, and the set of readings that have no outcome yet.
 */
final class DrivingRobot implements LiveListener {

  private final LiveGateway.Robot robot;
  private final BrokerSettings broker;
  private final SdfWorld world;
  private final SoakStatistics soakStatistics;

  /** Times at which readings without an outcome were taken, by stamp; {@link System#nanoTime}. */
  private final Map<Long, Long> open = new ConcurrentHashMap<>();

  private volatile LiveGateway liveGateway;
  private volatile boolean stopped;

  /**
   * @param broker settings with this robot's user
   * @param soakStatistics counts the outcomes of the readings
   */
  public DrivingRobot(
      LiveGateway.Robot robot,
      BrokerSettings broker,
      SdfWorld world,
      SoakStatistics soakStatistics) {
    this.robot = robot;
    this.broker = broker;
    this.world = world;
    this.soakStatistics = soakStatistics;
  }

  /**
   * Drives until it is stopped.
   *
   * @param seed seed of the first exploration
   * @param step difference between the seeds of consecutive explorations
   */
  public void drive(long seed, long step) throws InterruptedException {
    for (long next = seed; !stopped; next += step) {
      explore(next);
    }
  }

  private void explore(long seed) throws InterruptedException {
    try (LiveGateway gateway =
        LiveGateway.open(
            robot,
            this,
            outages -> BrokerConnection.open(broker, robot.id(), outages),
            System::nanoTime)) {
      liveGateway = gateway;
      Thread driver = new Thread(() -> offerAll(gateway, seed), robot.id());
      driver.setDaemon(true);
      driver.start();
      gateway.run();
      driver.join();
    }
  }

  private void offerAll(LiveGateway gateway, long seed) {
    long stamp = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    Simulation simulation = new Simulation(world, seed, stamp);
    long due = System.nanoTime();
    while (!stopped && simulation.hasNext()) {
      Reading reading = simulation.next().reading();
      open.put(reading.stampNanos(), System.nanoTime());
      soakStatistics.read();
      gateway.offer(reading);
      due += simulation.periodNanos();
      LockSupport.parkNanos(due - System.nanoTime());
    }
    gateway.stop();
  }

  /** Stops the robot, from any thread; its run ends in order. */
  public void stop() {
    stopped = true;
  }

  /** Returns the number of readings that wait at the robot. */
  public int waiting() {
    LiveGateway now = liveGateway;
    return now == null ? 0 : now.waiting();
  }

  @Override
  public void onSkipped(long stampNanos, SkipReason why) {
    open.remove(stampNanos);
    soakStatistics.skipped(why);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    long since = open.remove(reading.stampNanos());
    soakStatistics.answered(outcome, System.nanoTime() - since);
  }

  @Override
  public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos) {
    // Maps do not count here.
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {
    // Maps and paths do not count here.
  }

  @Override
  public void onRestart(String why) {
    soakStatistics.restarted();
  }

  @Override
  public void onOutage(String why) {
    // An outage shows in the times of readings.
  }

  @Override
  public void onReconnect() {
    // An outage shows in the times of readings.
  }
}
