package org.cartostream.deploy.submission;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.topology.broadcast.WorkerBroadcast;
import org.cartostream.topology.task.ActiveTasks;
import org.cartostream.topology.task.FencingToken;
import org.cartostream.topology.task.MatcherGroup;

/**
 * Request to a running topology to spread its particles over a number of its matcher tasks. Storm's
 * own rebalance moves executors to other processes, which loses their state. Here the particles
 * move, at the next resampling, and the filter's answer stays the same.
 */
public final class Rebalance {

  private static final int SESSION_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 500;

  private Rebalance() {}

  /**
   * Writes the request to ZooKeeper, in place of an earlier one.
   *
   * @param topology Storm's own name of the topology, see {@link Nimbus#idOf}
   * @param tasks number of tasks that will hold particles, at least 1
   * @throws IOException if ZooKeeper does not take the request
   */
  public static void request(ZooKeeperAccess zookeeper, String topology, int tasks)
      throws IOException {
    byte[] wish = Integer.toString(tasks).getBytes(StandardCharsets.US_ASCII);
    write(
        zookeeper,
        client ->
            client
                .create()
                .orSetData()
                .creatingParentsIfNeeded()
                .forPath(ActiveTasks.FOLDER + "/" + topology, wish));
  }

  /**
   * Deletes a topology's entries in ZooKeeper after its end: requests, fencing tokens, and groups
   * of matchers and workers. Does nothing if there are none.
   *
   * @param topology Storm's own name of the topology, see {@link Nimbus#idOf}
   * @throws IOException if ZooKeeper does not delete them
   */
  public static void forget(ZooKeeperAccess zookeeper, String topology) throws IOException {
    write(
        zookeeper,
        client -> {
          for (String path :
              List.of(
                  ActiveTasks.FOLDER + "/" + topology,
                  FencingToken.FOLDER + "/" + topology,
                  MatcherGroup.FOLDER + "/" + topology,
                  MatcherGroup.FOLDER + "/" + WorkerBroadcast.group(topology))) {
            client.delete().quietly().deletingChildrenIfNeeded().forPath(path);
          }
        });
  }

  private interface ZooKeeperWrite {
    void to(CuratorFramework client) throws Exception;
  }

  private static void write(ZooKeeperAccess zookeeper, ZooKeeperWrite zooKeeperWrite)
      throws IOException {
    try (CuratorFramework client =
        zookeeper.client(SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(PAUSE_MILLIS))) {
      client.start();
      zooKeeperWrite.to(client);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking ZooKeeper", e);
    } catch (Exception e) { // Curator's methods declare Exception.
      throw new IOException("ZooKeeper at " + zookeeper + " does not take it: " + e, e);
    }
  }
}
