package org.cartostream.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.metricstore.NoOpMetricStore;
import org.apache.storm.thrift.TException;
import org.cartostream.broker.BrokerConnection;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.BrokerListener;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Receiver;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.broker.register.Register;
import org.cartostream.broker.register.RegisterException;
import org.cartostream.broker.register.RegisterSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.sensor.Refusal;

/**
 * The service in this JVM, in Storm's local cluster.
 *
 * <p>Owns the cluster and its ZooKeeper. Starting and stopping take some five seconds each, in
 * which Storm's parts poll for each other.
 */
public final class LocalService implements AutoCloseable {

  private static final String NAME = "cartostream";

  /**
   * Gives no receipt, so that a message will come again. What is none of ours is gone, as it would
   * be a moment later.
   */
  private static final Receiver NOBODY =
      new Receiver() {
        @Override
        public void received(Envelope envelope, Receipt receipt) {}

        @Override
        public void refused(Refusal.Because why) {}
      };

  private final LocalZooKeeper zookeeper;
  private final LocalCluster cluster;
  private final Supervisor supervisor;

  private LocalService(LocalZooKeeper zookeeper, LocalCluster cluster, Supervisor supervisor) {
    this.zookeeper = zookeeper;
    this.cluster = cluster;
    this.supervisor = supervisor;
  }

  /**
   * Starts the service. It takes readings from the broker some seconds later; until then they wait
   * there.
   *
   * @throws BrokerException if the broker is not there or refuses us
   * @throws RegisterException if a ZooKeeper is named and does not answer
   * @throws IllegalStateException if Storm does not start
   */
  public static LocalService start(ServiceSettings settings) {
    return start(settings, Map.of());
  }

  /** The same with some of Storm's own settings of a topology changed. */
  static LocalService start(ServiceSettings wanted, Map<String, Object> changes) {
    ServiceSettings settings = inOneProcess(wanted);
    checkBroker(settings.broker());
    checkRegister(settings.register());
    Config config = ScanTopology.configuration(settings);
    config.put(Place.HOST, "127.0.0.1");
    config.putAll(changes);
    LocalService service = startCluster();
    try {
      service.cluster.submitTopology(NAME, config, ScanTopology.of(settings));
      return service;
    } catch (TException | RuntimeException e) {
      service.close();
      throw new IllegalStateException("Storm does not take the topology: " + e, e);
    }
  }

  /**
   * Whether it may take readings there. Within a task it would be too late to ask: Storm ends the
   * JVM when a task does not start.
   */
  private static void checkBroker(BrokerSettings broker) {
    try (BrokerConnection trial = BrokerConnection.open(broker, "service", BrokerListener.NONE)) {
      trial.subscribeToReadings(1, NOBODY);
    }
  }

  /** One that is not there now may come later, but its address is more likely wrong. */
  private static void checkRegister(RegisterSettings register) {
    if (register.zookeeper().isEmpty()) {
      return;
    }
    try {
      Register.open(register.access(), register).close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ZooKeeper was asked", e);
    }
  }

  private static ServiceSettings inOneProcess(ServiceSettings settings) {
    return new ServiceSettings(
        settings.filter(),
        settings.broker(),
        Settings.with(settings.topology(), Map.of("workers", "1")),
        settings.register());
  }

  private static LocalService startCluster() {
    LocalZooKeeper zookeeper = LocalZooKeeper.start();
    LocalCluster cluster = null;
    try {
      cluster =
          new LocalCluster.Builder().withDaemonConf(daemons(zookeeper)).withSupervisors(0).build();
      return new LocalService(zookeeper, cluster, cluster.addSupervisor(1));
    } catch (Exception e) {
      if (cluster != null) {
        cluster.shutdown();
      }
      zookeeper.close();
      throw new IllegalStateException("Storm's local cluster does not start: " + e, e);
    }
  }

  private static Map<String, Object> daemons(LocalZooKeeper zookeeper) {
    Map<String, Object> conf = new HashMap<>();
    conf.put(Config.STORM_ZOOKEEPER_SERVERS, List.of("127.0.0.1"));
    conf.put(Config.STORM_ZOOKEEPER_PORT, zookeeper.port());
    // Without it, Storm keeps metrics in a RocksDB whose threads outlive the cluster.
    conf.put(DaemonConfig.STORM_METRIC_STORE_CLASS, NoOpMetricStore.class.getName());
    conf.put(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1);
    conf.put(DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1);
    // Time for a worker to end by itself. In one JVM it has ended when it is told to: the least.
    conf.put(Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 1);
    return conf;
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
      throw new IllegalStateException("Storm's local cluster does not stop: " + e, e);
    } finally {
      // Storm forgets this one, and its thread would keep the JVM alive.
      supervisor.getHeartbeatExecutor().shutdownNow();
      zookeeper.close();
    }
  }
}
