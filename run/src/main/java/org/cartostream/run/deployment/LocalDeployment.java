package org.cartostream.run.deployment;

import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.local.LocalService;

/**
 * Deployment in this JVM: Storm's local cluster and the embedded broker, unless the settings name
 * another broker.
 */
public final class LocalDeployment implements Deployment {

  private final EmbeddedBroker embedded;
  private final BrokerSettings broker;
  private LocalService service;

  private LocalDeployment(EmbeddedBroker embedded, BrokerSettings broker) {
    this.embedded = embedded;
    this.broker = broker;
  }

  public static LocalDeployment open(BrokerSettings wanted) {
    if (!wanted.uri().isEmpty()) {
      return new LocalDeployment(null, wanted);
    }
    EmbeddedBroker embedded = EmbeddedBroker.start();
    return new LocalDeployment(embedded, embedded.reachedBy(wanted));
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
    service = LocalService.start(settings.service(broker));
    return service.zookeeper();
  }

  @Override
  public void stop() {
    if (service != null) {
      service.close();
    }
  }

  @Override
  public void close() {
    if (embedded != null) {
      embedded.close();
    }
  }
}
