package org.cartostream.bench.golden;

import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.local.LocalStorm;

/**
 * Deployment of one run on a local Storm cluster and a broker that other runs in this JVM share.
 * Owns only the run's topology.
 */
final class SharedDeployment implements Deployment {

  private final LocalStorm storm;
  private final BrokerSettings broker;
  private boolean submitted;

  /**
   * @param broker the shared broker, with a service's name that no other run uses. An earlier run's
   *     topology may live on for some seconds, and would take this run's readings if it had the
   *     same name
   */
  SharedDeployment(LocalStorm storm, BrokerSettings broker) {
    this.storm = storm;
    this.broker = broker;
  }

  @Override
  public BrokerSettings serviceBroker() {
    return broker;
  }

  @Override
  public BrokerSettings robotBroker() {
    return broker;
  }

  @Override
  public ZooKeeperAccess start(RootSettings settings) {
    storm.submit(broker.service(), settings.service(broker), Map.of());
    submitted = true;
    return storm.zookeeper();
  }

  @Override
  public void stop() {
    if (submitted) {
      storm.kill(broker.service());
    }
  }

  @Override
  public void close() {
    // The broker belongs to all runs.
  }
}
