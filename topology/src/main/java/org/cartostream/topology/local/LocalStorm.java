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
 * <p>Owns the cluster and its ZooKeeper. Starting and stopping take some five seconds each, in
 * which Storm's parts poll for each other. There can be one at a time in a JVM: a second would end
 * the first one's tasks.
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
   * @param slots how many services it can run at a time
   * @throws IllegalStateException if Storm does not start
   * @throws UncheckedIOException if it cannot write to the temporary folder
   */
  public static LocalStorm start(int slots) {
    try {
      InetAddress
          .getLocalHost(); // Storm asks, whatever it is told; a bare container has no answer.
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
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (!(root instanceof IOException) || root instanceof SocketException) {
      return new IllegalStateException(what + ": " + e, e);
    }
    String place = System.getProperty("java.io.tmpdir");
    IOException named = new FileSystemException(place, null, what + ": " + root.getMessage());
    named.initCause(e);
    return new UncheckedIOException(named);
  }

  private static Map<String, Object> daemons(LocalZooKeeper zookeeper) {
    Map<String, Object> conf = new HashMap<>();
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
    conf.put(Config.STORM_ZOOKEEPER_PORT, zookeeper.port());
    // Without it, Storm keeps metrics in a RocksDB whose threads outlive the cluster.
    conf.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
    conf.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
    // Time for a worker to end by itself. In one JVM it has ended when it is asked to: the least.
    conf.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
    // Nobody here dies alone, and all are late when the process was stopped or the laptop slept.
    for (String timeout :
        List.of(
            DaemonConfig.NIMBUS_TASK_TIMEOUT_SECS,
            DaemonConfig.NIMBUS_SUPERVISOR_TIMEOUT_SECS,
            DaemonConfig.NIMBUS_TASK_LAUNCH_SECS,
            Config.SUPERVISOR_WORKER_TIMEOUT_SECS,
            DaemonConfig.SUPERVISOR_WORKER_START_TIMEOUT_SECS)) {
      conf.put(timeout, DAY_SECONDS);
    }
    // Into a file of the temporary folder, each time: Storm ends the process if that has no room.
    conf.put(Config.WORKER_HEARTBEAT_FREQUENCY_SECS, HOUR_SECONDS);
    return conf;
  }

  /**
   * Submits a service, which takes readings from the broker some seconds later.
   *
   * @param name Storm's name for the topology; no other that runs may have it
   * @param changes of Storm's own settings of a topology
   * @throws IllegalStateException if Storm does not take it
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
      cluster.submitTopology(name, config, topology);
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
   * Asks for the end of a service, and does not wait for it: its tasks end some seconds later.
   *
   * @throws IllegalStateException if Storm has none of that name
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

  /** The cluster's own ZooKeeper. */
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
      // Storm forgets this one, and its thread would keep the JVM alive.
      supervisor.getHeartbeatExecutor().shutdownNow();
      zookeeper.close();
    }
  }
}
