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
 * Watch on the robots in the registry, which also enters the service itself there. It knows since
 * when robots that left are missing. A robot that never registered is never missing, and never
 * there.
 *
 * <p>Owns its {@link Registry}, who is there, and since when each robot is missing. Thread-safe.
 */
public final class RobotRegistryWatch implements Registry.Watcher, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RobotRegistryWatch.class);

  /** Between two times that the service's own entry is renewed. */
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(15);

  /** Bound on the checkpoints' period, seconds, with which their age is said. */
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

  /** Registers the service and begins to watch the robots; it does not wait. */
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

  /** True if a robot is in the registry: however little it sends, its gateway is there. */
  public boolean isThere(String robot) {
    return there.contains(robot);
  }

  /**
   * True if a robot is missing for so long that it is taken as gone for good.
   *
   * @param silentNanos since its last message to the service
   */
  public boolean isGone(String robot, long silentNanos, long nanoTime) {
    Long since = missingSince.get(robot);
    return since != null && Math.min(nanoTime - since, silentNanos) > absenceNanos;
  }

  /** Nobody will ask for robots that are not among these. */
  public void keep(Set<String> robots) {
    missingSince.keySet().retainAll(robots);
  }

  /**
   * Has the service's entry say how far its runs are durable, now and then, unless checkpoints are
   * off, or so seldom that an age of minutes means nothing. One thread calls it.
   *
   * @param ageSeconds since all that had come was in a checkpoint, of each run
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
