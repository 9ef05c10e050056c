package org.cartostream.cli;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.topology.LocalStorm;

/**
 * A cluster and a broker in this JVM that other runs share. Owns the run's topology alone, which
 * has the service's name.
 */
final class GoldenVenue implements Venue {

  private final LocalStorm storm;
  private final BrokerSettings broker;
  private boolean submitted;

  /**
   * @param broker the shared broker, with a service's name that no other run has: the topology of
   *     an earlier run may be there for some seconds after its end, and would take the readings
   */
  GoldenVenue(LocalStorm storm, BrokerSettings broker) {
    this.storm = storm;
    this.broker = broker;
  }

  @Override
  public BrokerSettings operator() {
    return broker;
  }

  @Override
  public BrokerSettings robot() {
    return broker;
  }

  @Override
  public ZooKeeperAccess start(RootSettings settings) {
    storm.submit(broker.service(), settings.service(broker));
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
