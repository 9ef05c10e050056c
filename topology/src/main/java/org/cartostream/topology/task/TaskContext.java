package org.cartostream.topology.task;

import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;
import org.cartostream.broker.registry.ZooKeeperAccess;

/**
 * The place of a component's task in the cluster.
 *
 * @param task index of this task among its component's, from 0
 * @param matchers number of tasks that hold particles
 * @param topology Storm's id of the topology, which is unique
 * @param zookeeper access to Storm's ZooKeeper
 * @param host name or address under which this worker can be reached
 * @param nanoTime clock of the task, nanoseconds: {@link System#nanoTime}, except in tests
 * @param offload executor of long work in other threads, which would hold up all runs of the task
 */
public record TaskContext(
    int task,
    int matchers,
    String topology,
    ZooKeeperAccess zookeeper,
    String host,
    LongSupplier nanoTime,
    Executor offload) {

  /**
   * Key in a topology's configuration for the host of all its workers, if it is to differ from the
   * host name that Storm knows.
   */
  public static final String HOST = "cartostream.host";

  private static final String TAKEN_BY = "org.cartostream.task";

  /**
   * Returns the context of a task that has its executor (its thread) to itself.
   *
   * @param offload executor of long work in other threads
   * @throws IllegalStateException if another task has the same executor: two partitions would then
   *     work one after the other while all others wait for both
   */
  public static TaskContext exclusive(TopologyContext context, Executor offload) {
    Object other = context.getExecutorData(TAKEN_BY);
    if (other != null) {
      throw new IllegalStateException(
          context.getThisComponentId()
              + " has fewer executors than tasks: tasks "
              + other
              + " and "
              + context.getThisTaskId()
              + " share one; give each its own");
    }
    context.setExecutorData(TAKEN_BY, context.getThisTaskId());
    int matchers = context.getComponentTasks(Component.nameOf(Component.Matchers.class)).size();
    Map<String, Object> conf = context.getConf();
    return new TaskContext(
        context.getThisTaskIndex(),
        matchers,
        context.getStormId(),
        zookeeper(conf),
        host(conf),
        System::nanoTime,
        offload);
  }

  private static ZooKeeperAccess zookeeper(Map<String, Object> conf) {
    List<?> hosts = (List<?>) conf.getOrDefault(Config.STORM_ZOOKEEPER_SERVERS, List.of());
    String servers =
        hosts.stream()
            .map(host -> host + ":" + conf.get(Config.STORM_ZOOKEEPER_PORT))
            .collect(Collectors.joining(","));
    if (!Boolean.TRUE.equals(conf.get(Config.ZK_SSL_ENABLE))) {
      return ZooKeeperAccess.plain(servers);
    }
    return ZooKeeperAccess.secured(
        servers,
        new ZooKeeperAccess.Stores(
            Path.of((String) conf.get(Config.STORM_ZOOKEEPER_SSL_KEYSTORE_PATH)),
            Path.of((String) conf.get(Config.STORM_ZOOKEEPER_SSL_TRUSTSTORE_PATH)),
            (String) conf.get(Config.STORM_ZOOKEEPER_SSL_KEYSTORE_PASSWORD)));
  }

  private static String host(Map<String, Object> conf) {
    try {
      return conf.containsKey(HOST) ? (String) conf.get(HOST) : Utils.hostname();
    } catch (UnknownHostException e) {
      throw new IllegalStateException(
          "this host does not know its own name; give it in storm.local.hostname", e);
    }
  }
}
