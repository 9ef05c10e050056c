package org.cartostream.topology.run;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch on the robots in the registry, which also registers the service itself. It knows which
 * robots are registered, and since when others have been missing that were. A robot that never
 * registered is neither.
 *
 * <p>Owns the {@link Registry}, the registered robots, and the time since when each missing robot
 * has been missing. Thread-safe.
 */
public final class RobotRegistryWatch implements Registry.Watcher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RobotRegistryWatch.class);

  /** Time between renewals of the service's own entry, nanoseconds. */
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Longest period of checkpoints with which the service's entry says their age, seconds. */
  private static final double MAX_SECONDS = 100;

  private final Registry registry;
  private final RegistryEntry own;
  private final long absenceNanos;
  private final boolean saysAge;
  private final Set<String> there = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> missingSince = new ConcurrentHashMap<>();

  /** Time of the latest renewal, by {@link System#nanoTime}. */
  private long renewedAt;

  private RobotRegistryWatch(
      Registry registry, RegistryEntry own, int absenceSeconds, boolean saysAge) {
    this.registry = registry;
    this.own = own;
    this.saysAge = saysAge;
    this.renewedAt = System.nanoTime() - RENEWAL_NANOS;
    this.absenceNanos = TimeUnit.SECONDS.toNanos(absenceSeconds);
  }

  /** Registers the service and begins to watch the robots, without waiting for ZooKeeper. */
  public static RobotRegistryWatch of(ServiceSettings settings, TaskContext taskContext) {
    ZooKeeperAccess access = settings.registry().access(taskContext.zookeeper());
    Registry registry = Registry.openAsync(access, settings.registry());
    RegistryEntry own =
        RegistryEntry.ofThisProcess(settings.broker().service(), RegistryEntry.SERVICE);
    RobotRegistryWatch robotRegistryWatch =
        new RobotRegistryWatch(
            registry, own, settings.registry().absenceSeconds(), saysAge(settings.checkpoint()));
    registry.registerAsync(Registry.Kind.SERVICES, own);
    registry.watch(Registry.Kind.ROBOTS, robotRegistryWatch);
    return robotRegistryWatch;
  }

  private static boolean saysAge(CheckpointSettings checkpoint) {
    double seconds = checkpoint.everySeconds();
    return !checkpoint.folder().isEmpty() && seconds > 0 && seconds <= MAX_SECONDS;
  }

  @Override
  public void arrived(RegistryEntry robot) {
    there.add(robot.id());
    missingSince.remove(robot.id());
    LOG.info("robot {} ({}) has come: {}", robot.id(), robot.type(), robot.address());
  }

  @Override
  public void left(RegistryEntry robot) {
    there.remove(robot.id());
    missingSince.put(robot.id(), System.nanoTime());
    LOG.info("robot {} has left the registry", robot.id());
  }

  /**
   * Returns true if a robot is registered, so that its gateway is running, however little the robot
   * sends.
   */
  public boolean isThere(String robot) {
    return there.contains(robot);
  }

  /**
   * Returns true if a robot has been missing, and silent, for so long that it counts as gone for
   * good.
   *
   * @param silentNanos time since the robot's last message to the service, nanoseconds
   * @param nanoTime the time by {@link System#nanoTime}
   */
  public boolean isGone(String robot, long silentNanos, long nanoTime) {
    Long since = missingSince.get(robot);
    return since != null && Math.min(nanoTime - since, silentNanos) > absenceNanos;
  }

  /** Forgets missing robots that are not among these. */
  public void keep(Set<String> robots) {
    missingSince.keySet().retainAll(robots);
  }

  /**
   * Writes into the service's entry, every 15 s, up to which time all readings of its runs are in
   * checkpoints. Does nothing if checkpoints are off, or so rare that an age of minutes is normal.
   * Called by one thread.
   *
   * @param ageSeconds time since all readings of a run were in a checkpoint, seconds, of each run
   * @param nanoTime the time by {@link System#nanoTime}
   */
  public void renew(DoubleStream ageSeconds, long nanoTime) {
    if (!saysAge || nanoTime - renewedAt < RENEWAL_NANOS) {
      return;
    }
    renewedAt = nanoTime;
    OptionalDouble eldest = ageSeconds.max();
    long millis =
        eldest.isEmpty() ? 0 : System.currentTimeMillis() - (long) (eldest.getAsDouble() * 1000);
    registry.updateAsync(Registry.Kind.SERVICES, own.durableAt(millis));
  }

  @Override
  public void close() {
    registry.close();
  }
}
