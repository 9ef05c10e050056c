package org.cartostream.topology.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metricstore.NoOpMetricStore;
import org.apache.storm.thrift.TException;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.settings.Settings;
import org.cartostream.topology.ScanTopology;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.TaskContext;

/**
 * Storm's local cluster in this JVM, for one service or for several side by side.
 *
 * <p>Owns the cluster and its ZooKeeper. Starting and stopping take some five seconds each, as
 * Storm's parts poll for each other. A JVM can have only one such cluster at a time: a second one
 * would end the first one's tasks.
 */
public final class LocalStorm implements AutoCloseable {

  private static final int DAY_SECONDS = (int) TimeUnit.DAYS.toSeconds(1);
  private static final int HOUR_SECONDS = (int) TimeUnit.HOURS.toSeconds(1);

  private final LocalZooKeeper zookeeper;
  private final LocalCluster cluster;
  private final Supervisor supervisor;

  private LocalStorm(LocalZooKeeper zookeeper, LocalCluster cluster, Supervisor supervisor) {
    this.zookeeper = zookeeper;
    this.cluster = cluster;
    this.supervisor = supervisor;
  }

  /**
   * Starts the cluster.
   *
   * @param slots number of services that it can run at a time
   * @throws IllegalStateException if Storm does not start
   * @throws UncheckedIOException if the temporary folder cannot be written
   */
  public static LocalStorm start(int slots) {
    try {
      InetAddress.getLocalHost(); // Storm needs it in any case; a bare container may have none.
    } catch (UnknownHostException e) {
      throw new IllegalStateException(
          "Storm wants an address of this host's own name, and it has none (%s); a line '127.0.0.1 NAME' in /etc/hosts is right, and a replay by --engine serial needs none"
              .formatted(e.getMessage()),
          e);
    }
    LocalZooKeeper zookeeper = LocalZooKeeper.startForThisProcess();
    LocalCluster cluster = null;
    try {
      cluster =
          new LocalCluster.Builder().withDaemonConf(daemons(zookeeper)).withSupervisors(0).build();
      return new LocalStorm(zookeeper, cluster, cluster.addSupervisor(slots));
    } catch (Exception e) {
      if (cluster != null) {
        cluster.shutdown();
      }
      zookeeper.close();
      throw failed("Storm's local cluster does not start", e);
    }
  }

  /**
   * Returns the exception for a failure of Storm. If Storm cannot write, the cause is the temporary
   * folder, which its own message does not name.
   */
  private static RuntimeException failed(String what, Exception e) {
    Throwable root = root(e);
    if (!(root instanceof IOException) || root instanceof SocketException) {
      return new IllegalStateException(what + ": " + e, e);
    }
    String place = System.getProperty("java.io.tmpdir");
    IOException named = new FileSystemException(place, null, what + ": " + root.getMessage());
    named.initCause(e);
    return new UncheckedIOException(named);
  }

  private static Throwable root(Throwable e) {
    return e.getCause() == null ? e : root(e.getCause());
  }

  private static Map<String, Object> daemons(LocalZooKeeper zookeeper) {
    Map<String, Object> conf = new HashMap<>();
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
    conf.put(Config.STORM_ZOOKEEPER_PORT, zookeeper.port());
    // Without it, Storm keeps metrics in a RocksDB whose threads outlive the cluster.
    conf.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
    conf.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
    // Time for a worker to end by itself, at its minimum: in one JVM it ends at once.
    conf.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
    // Parts of one process do not die alone, but all are late after the laptop slept.
    for (String timeout :
        List.of(
            DaemonConfig.NIMBUS_TASK_TIMEOUT_SECS,
            DaemonConfig.NIMBUS_SUPERVISOR_TIMEOUT_SECS,
            DaemonConfig.NIMBUS_TASK_LAUNCH_SECS,
            Config.SUPERVISOR_WORKER_TIMEOUT_SECS,
            DaemonConfig.SUPERVISOR_WORKER_START_TIMEOUT_SECS)) {
      conf.put(timeout, DAY_SECONDS);
    }
    // Each heartbeat is written to the temporary folder, and Storm ends the process if it is full.
    conf.put(Config.WORKER_HEARTBEAT_FREQUENCY_SECS, HOUR_SECONDS);
    return conf;
  }

  /**
   * Submits a service, which takes readings from the broker some seconds later.
   *
   * @param name Storm's name for the topology, different from those of all running ones
   * @param wanted settings of the service; it always has one worker here
   * @param changes Storm's settings of the topology to replace, by key
   * @throws IllegalStateException if Storm does not accept the topology
   */
  public void submit(String name, ServiceSettings wanted, Map<String, Object> changes) {
    ServiceSettings settings = inOneProcess(wanted);
    Config config = ScanTopology.configuration(settings);
    config.put(TaskContext.HOST, "127.0.0.1");
    config.putAll(changes);
    submit(name, config, ScanTopology.of(settings));
  }

  /** Submits any topology. */
  void submit(String name, Config config, StormTopology topology) {
    try {
      try {
        cluster.submitTopology(name, config, topology);
      } catch (RuntimeException e) {
        if (!(root(e) instanceof IOException)) {
          throw e;
        }
        // Storm's store of topologies cleans itself in a thread of its own, and may remove a new
        // folder before its file is in it (FileBlobStoreImpl.fullCleanup). A full disk fails again.
        cluster.submitTopology(name, config, topology);
      }
    } catch (TException | RuntimeException e) {
      throw failed("Storm does not take the topology", e);
    }
  }

  private static ServiceSettings inOneProcess(ServiceSettings settings) {
    return new ServiceSettings(
        settings.filter(),
        settings.localisation(),
        settings.broker(),
        Settings.with(settings.topology(), Map.of("workers", "1")),
        settings.registry(),
        settings.checkpoint());
  }

  /**
   * Asks for the end of a service, without waiting: its tasks end some seconds later.
   *
   * @throws IllegalStateException if Storm has no topology of that name
   */
  public void kill(String name) {
    KillOptions atOnce = new KillOptions();
    atOnce.set_wait_secs(0);
    try {
      cluster.killTopologyWithOpts(name, atOnce);
    } catch (TException e) {
      throw new IllegalStateException("Storm does not end the topology " + name + ": " + e, e);
    }
  }

  /** Returns the access to the cluster's own ZooKeeper. */
  public ZooKeeperAccess zookeeper() {
    return ZooKeeperAccess.plain("127.0.0.1:" + zookeeper.port());
  }

  /** Stops the tasks, then the cluster. */
  @Override
  public void close() {
    try {
      cluster.close();
    } catch (Exception e) {
      throw failed("Storm's local cluster does not stop", e);
    } finally {
      // Storm does not stop this executor, and its thread would keep the JVM alive.
      supervisor.getHeartbeatExecutor().shutdownNow();
      zookeeper.close();
    }
  }
}
