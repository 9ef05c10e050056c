package org.cartostream.cli.soak;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.Outcome;
import org.cartostream.gateway.LeftOut;
import org.cartostream.gateway.Live;
import org.cartostream.gateway.LiveListener;
import org.cartostream.sim.SdfWorld;
import org.cartostream.sim.Simulation;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;

/**
 * A simulated robot that explores a world at the pace of its laser, with a live gateway; when it
 * has seen all, its run ends and it begins again.
 *
 * <p>Owns its gateway, and which readings have no outcome yet.
 */
public final class DrivingRobot implements LiveListener {

  private final Live.Robot robot;
  private final BrokerSettings broker;
  private final SdfWorld world;
  private final Fates fates;

  /** By stamp, when the robot had the reading, {@link System#nanoTime}. */
  private final Map<Long, Long> open = new ConcurrentHashMap<>();

  private volatile Live live;
  private volatile boolean stopped;

  /**
   * @param broker as this robot's user
   * @param fates takes what becomes of its readings
   */
  public DrivingRobot(Live.Robot robot, BrokerSettings broker, SdfWorld world, Fates fates) {
    this.robot = robot;
    this.broker = broker;
    this.world = world;
    this.fates = fates;
  }

  /**
   * Drives until it is stopped.
   *
   * @param seed of the first exploration; each further one has the next but so many
   * @param step from one exploration's seed to the next one's
   */
  public void drive(long seed, long step) throws InterruptedException {
    for (long next = seed; !stopped; next += step) {
      explore(next);
    }
  }

  private void explore(long seed) throws InterruptedException {
    try (Live gateway =
        Live.open(robot, this, outages -> BrokerConnection.open(broker, robot.id(), outages))) {
      live = gateway;
      Thread driver = new Thread(() -> offerAll(gateway, seed), robot.id());
      driver.setDaemon(true);
      driver.start();
      gateway.run();
      driver.join();
    }
  }

  private void offerAll(Live gateway, long seed) {
    long stamp = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
    Simulation simulation = new Simulation(world, seed, stamp);
    long due = System.nanoTime();
    while (!stopped && simulation.hasNext()) {
      Reading reading = simulation.next().reading();
      open.put(reading.stampNanos(), System.nanoTime());
      fates.read();
      gateway.offer(reading);
      due += simulation.periodNanos();
      LockSupport.parkNanos(due - System.nanoTime());
    }
    gateway.stop();
  }

  /** From any thread: it stops, and its run ends in order. */
  public void stop() {
    stopped = true;
  }

  /** Readings that wait at the robot. */
  public int waiting() {
    Live now = live;
    return now == null ? 0 : now.waiting();
  }

  @Override
  public void onLeftOut(long stampNanos, LeftOut why) {
    open.remove(stampNanos);
    fates.skipped(why);
  }

  @Override
  public void onOutcome(Reading reading, Outcome outcome) {
    long since = open.remove(reading.stampNanos());
    fates.answered(outcome, System.nanoTime() - since);
  }

  @Override
  public void onMap(OccupancyGrid map, long stampNanos) {
    // Nobody looks at it.
  }

  @Override
  public void onEnd(OccupancyGrid map, List<PathPose> path) {
    // Nor at the last.
  }

  @Override
  public void onRestart(String why) {
    fates.restarted();
  }

  @Override
  public void onOutage(String why) {
    // Its readings tell.
  }

  @Override
  public void onBack() {
    // Likewise.
  }
}
