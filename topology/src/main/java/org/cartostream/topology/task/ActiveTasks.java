package org.cartostream.topology.task;

import java.nio.charset.StandardCharsets;
import java.util.function.IntSupplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The number of matcher tasks that are to hold particles, as an operator writes it into ZooKeeper
 * while the topology runs. Storm fixes the number of tasks for a topology's life; tasks beyond the
 * active ones hold no particles.
 *
 * <p>Owns its session with ZooKeeper. While ZooKeeper is away, the number read last stays valid.
 */
public final class ActiveTasks implements IntSupplier, AutoCloseable {

  /**
   * Path in ZooKeeper below which each topology has its number, as digits, under Storm's id of the
   * topology.
   */
  public static final String FOLDER = "/cartostream/active-tasks";

  private static final Logger LOG = LoggerFactory.getLogger(ActiveTasks.class);
  private static final int SESSION_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 500;
  private static final int ATTEMPTS = 3;

  private final CuratorFramework zookeeper;
  private final CuratorCache cache;
  private volatile int count;

  private ActiveTasks(ZooKeeperAccess access, String topology) {
    zookeeper =
        access.client(
            SESSION_MILLIS, SESSION_MILLIS, new ExponentialBackoffRetry(PAUSE_MILLIS, ATTEMPTS));
    cache = CuratorCache.build(zookeeper, FOLDER + "/" + topology);
    cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forCreates(this::read)
                .forChanges((before, after) -> read(after))
                .build());
  }

  /** Begins to watch the number, without waiting for ZooKeeper. */
  public static ActiveTasks watch(TaskContext taskContext) {
    ActiveTasks watching = new ActiveTasks(taskContext.zookeeper(), taskContext.topology());
    watching.zookeeper.start();
    watching.cache.start();
    return watching;
  }

  private void read(ChildData node) {
    String text = new String(node.getData(), StandardCharsets.US_ASCII);
    try {
      count = Integer.parseInt(text);
      LOG.info("{} tasks are to hold particles, from the next resampling on", count);
    } catch (NumberFormatException e) {
      LOG.warn("{} should hold a number of tasks, not '{}'", node.getPath(), text);
    }
  }

  /** Returns the number of active tasks; 0 if nobody has written one. */
  @Override
  public int getAsInt() {
    return count;
  }

  @Override
  public void close() {
    cache.close();
    zookeeper.close();
  }
}
