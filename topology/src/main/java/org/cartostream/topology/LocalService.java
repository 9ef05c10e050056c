package org.cartostream.topology;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.thrift.TException;

/**
 * The service in this JVM, in Storm's local cluster.
 *
 * <p>Owns the cluster, and with it a ZooKeeper of its own on a free port.
 */
public final class LocalService implements AutoCloseable {

  private static final String NAME = "cartostream";

  private final LocalCluster cluster;

  private LocalService(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts the service. It takes readings from the broker some seconds later; until then they wait
   * there.
   *
   * @throws IllegalStateException if Storm does not start
   */
  public static LocalService start(ServiceSettings settings) {
    return start(settings, Map.of());
  }

  /** The same with some of Storm's own settings changed. */
  static LocalService start(ServiceSettings settings, Map<String, Object> changes) {
    Config config = ScanTopology.configuration(settings);
    config.setNumWorkers(1);
    config.putAll(changes);
    LocalCluster cluster;
    try {
      cluster = new LocalCluster.Builder().build();
    } catch (Exception e) {
      throw new IllegalStateException("Storm's local cluster does not start: " + e, e);
    }
    LocalService service = new LocalService(cluster);
    try {
      cluster.submitTopology(NAME, config, ScanTopology.of(settings));
    } catch (TException | RuntimeException e) {
      service.close();
      throw new IllegalStateException("Storm does not take the topology: " + e, e);
    }
    return service;
  }

  /** The address of the cluster's ZooKeeper: {@code host:port}. */
  public String zookeeper() {
    return "127.0.0.1:" + cluster.getDaemonConf().get(Config.STORM_ZOOKEEPER_PORT);
  }

  @Override
  public void close() {
    try {
      KillOptions now = new KillOptions();
      now.set_wait_secs(0);
      cluster.killTopologyWithOpts(NAME, now);
    } catch (TException e) {
      // Already gone, or never there: closing the cluster ends what is left.
    } finally {
      closeCluster();
    }
  }

  private void closeCluster() {
    try {
      cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException("Storm's local cluster does not stop: " + e, e);
    }
  }
}
