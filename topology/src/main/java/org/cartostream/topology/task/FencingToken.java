package org.cartostream.topology.task;

import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fencing token of a task: a number that is greater than those of all earlier holders of the task's
 * place in the same topology. ZooKeeper counts the tokens, as the clocks of two hosts may differ.
 * They work like Raft's terms (Ongaro and Ousterhout 2014, section 5.1): a task that was cut off
 * does not know that it has a successor, so a receiver of a message with the later token drops
 * messages with earlier ones.
 */
public final class FencingToken {

  /**
   * Folder in ZooKeeper with a node for each topology, named by Storm's id of the topology; the
   * node's version is the latest token.
   */
  public static final String FOLDER = "/cartostream/terms";

  private static final Logger LOG = LoggerFactory.getLogger(FencingToken.class);
  private static final int SESSION_MILLIS = 10_000;
  private static final int PAUSE_MILLIS = 500;
  private static final byte[] NOTHING = {};

  private FencingToken() {}

  /**
   * Returns the next token, from 1. Waits for ZooKeeper as long as it takes, as Storm itself does
   * before it starts a worker.
   *
   * @throws IllegalStateException if the thread is interrupted meanwhile
   */
  public static long next(TaskContext taskContext) {
    return next(taskContext, SESSION_MILLIS);
  }

  /**
   * Returns the next token.
   *
   * @param patienceMillis time after which, repeatedly, a warning is logged that ZooKeeper does not
   *     answer
   */
  static long next(TaskContext taskContext, int patienceMillis) {
    String counter = FOLDER + "/" + taskContext.topology();
    try (CuratorFramework zookeeper =
        taskContext
            .zookeeper()
            .client(SESSION_MILLIS, SESSION_MILLIS, new RetryOneTime(PAUSE_MILLIS))) {
      zookeeper.start();
      while (true) {
        if (!zookeeper.blockUntilConnected(patienceMillis, TimeUnit.MILLISECONDS)) {
          LOG.warn(
              "no ZooKeeper answers at {}; this task waits for its term", taskContext.zookeeper());
          continue;
        }
        try {
          return count(zookeeper, counter);
        } catch (KeeperException.ConnectionLossException
            | KeeperException.OperationTimeoutException
            | KeeperException.SessionExpiredException
            | KeeperException.NoNodeException e) { // NoNode: deleted meanwhile.
          LOG.warn("{} cannot be counted on: {}", counter, e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a term", e);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) { // Curator's methods declare it.
      throw new IllegalStateException(counter + " cannot be counted on: " + e, e);
    }
  }

  /** Counts one up. If ZooKeeper's answer is lost, nobody has that number, which does no harm. */
  private static long count(CuratorFramework zookeeper, String counter) throws Exception {
    try {
      zookeeper.create().creatingParentsIfNeeded().forPath(counter, NOTHING);
    } catch (KeeperException.NodeExistsException e) {
      LOG.debug("{} is there", counter);
    }
    return zookeeper.setData().forPath(counter, NOTHING).getVersion();
  }
}
