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
 * <p>Owns the cluster. Starting and stopping take some five seconds each, in which Storm's parts
 * poll for each other.
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
   * @throws BrokerException if the broker is not there or refuses us
   * @throws RegistryException if a ZooKeeper is named and does not answer
   * @throws IllegalStateException if Storm does not start
   */
  public static LocalService start(ServiceSettings settings) {
    return start(settings, Map.of());
  }

  /** Returns a copy with some of Storm's own settings of a topology changed. */
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
   * Checks that the service may take readings at the broker. Within a task it would be too late to
   * ask: Storm ends the JVM when a task does not start.
   */
  private static void checkBroker(BrokerSettings broker) {
    try (BrokerConnection trial = BrokerConnection.open(broker, "service", BrokerListener.NONE)) {
      trial.subscribeToReadings(1, Receiver.NOBODY);
    }
  }

  /** One that is not there now may come later, but its address is more likely wrong. */
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

  /** The cluster's own ZooKeeper. */
  public ZooKeeperAccess zookeeper() {
    return storm.zookeeper();
  }

  /** Stops the tasks, then the cluster. */
  @Override
  public void close() {
    storm.close();
  }
}
