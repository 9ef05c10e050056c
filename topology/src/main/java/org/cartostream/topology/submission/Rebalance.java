package org.cartostream.topology.submission;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.cartostream.topology.ActiveTasks;

/**
 * Asks a running topology to have its particles on so many of its matcher tasks. Storm's own
 * rebalance moves executors to other processes, and with them loses what they hold; here particles
 * move, at the next resampling, and no answer changes.
 */
public final class Rebalance {

  private static final int SESSION_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 500;

  private Rebalance() {}

  /**
   * Asks; a later wish replaces it.
   *
   * @param zookeeper {@code host:port}
   * @param topology {@link Nimbus#idOf}
   * @param tasks at least 1; the first so many hold particles
   * @throws IOException if ZooKeeper does not take it
   */
  public static void ask(String zookeeper, String topology, int tasks) throws IOException {
    try (CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            zookeeper, SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(PAUSE_MILLIS))) {
      client.start();
      client
          .create()
          .orSetData()
          .creatingParentsIfNeeded()
          .forPath(
              ActiveTasks.FOLDER + "/" + topology,
              Integer.toString(tasks).getBytes(StandardCharsets.US_ASCII));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking ZooKeeper", e);
    } catch (Exception e) { // Curator declares no less.
      throw new IOException("ZooKeeper at " + zookeeper + " does not take it: " + e, e);
    }
  }
}
