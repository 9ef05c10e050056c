package org.cartostream.topology.local;

import java.util.Map;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryException;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * The service in this JVM, in Storm's local cluster.
 *
 * <p>Owns the cluster. Starting and stopping take some five seconds each, as Storm's parts poll for
 * each other.
 */
public final class LocalService implements AutoCloseable {

  private static final String NAME = "cartostream";

  private final LocalStorm storm;

  private LocalService(LocalStorm storm) {
    this.storm = storm;
  }

  /**
   * Starts the service. It takes readings from the broker some seconds later; until then they wait
   * there.
   *
   * @throws BrokerException if the broker is not there or refuses access
   * @throws RegistryException if a ZooKeeper is named and does not answer
   * @throws IllegalStateException if Storm does not start
   */
  public static LocalService start(ServiceSettings settings) {
    return start(settings, Map.of());
  }

  /**
   * Starts the service with some of Storm's own settings changed.
   *
   * @param changes Storm's settings of the topology to replace, by key
   */
  public static LocalService start(ServiceSettings settings, Map<String, Object> changes) {
    checkBroker(settings.broker());
    checkRegistry(settings.registry());
    LocalStorm storm = LocalStorm.start(1);
    try {
      storm.submit(NAME, settings, changes);
      return new LocalService(storm);
    } catch (RuntimeException e) {
      storm.close();
      throw e;
    }
  }

  /**
   * Checks that the service may take readings from the broker. In a task the check would come too
   * late: Storm ends the JVM when a task does not start.
   */
  private static void checkBroker(BrokerSettings broker) {
    try (BrokerConnection trial = BrokerConnection.open(broker, "service", BrokerListener.NONE)) {
      trial.subscribeToReadings(1, Receiver.NOBODY);
    }
  }

  /**
   * Checks that ZooKeeper answers. It could still come later, but its address is more likely wrong.
   */
  private static void checkRegistry(RegistrySettings registry) {
    if (registry.zookeeper().isEmpty()) {
      return;
    }
    try {
      Registry.open(registry.access(), registry).close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ZooKeeper was asked", e);
    }
  }

  /** Returns the access to the cluster's own ZooKeeper. */
  public ZooKeeperAccess zookeeper() {
    return storm.zookeeper();
  }

  /** Stops the tasks, then the cluster. */
  @Override
  public void close() {
    storm.close();
  }
}
