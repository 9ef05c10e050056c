package org.cartostream.bench.golden;

import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.run.deployment.Deployment;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.local.LocalStorm;

/**
 * A cluster and a broker in this JVM that other runs share. Owns the run's topology alone, which
 * has the service's name.
 */
final class SharedDeployment implements Deployment {

  private final LocalStorm storm;
  private final BrokerSettings broker;
  private boolean submitted;

  /**
   * @param broker the shared broker, with a service's name that no other run has: the topology of
   *     an earlier run may be there for some seconds after its end, and would take the readings
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
    // The broker stays.
  }
}
