package org.cartostream.cli;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.EmbeddedBroker;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.topology.LocalService;

/** This JVM: Storm's local cluster and the embedded broker, unless the broker is another's. */
final class LocalVenue implements Venue {

  private final EmbeddedBroker embedded;
  private final BrokerSettings broker;
  private LocalService service;

  private LocalVenue(EmbeddedBroker embedded, BrokerSettings broker) {
    this.embedded = embedded;
    this.broker = broker;
  }

  static LocalVenue open(BrokerSettings wanted) {
    if (!wanted.uri().isEmpty()) {
      return new LocalVenue(null, wanted);
    }
    EmbeddedBroker embedded = EmbeddedBroker.start();
    return new LocalVenue(embedded, wanted.withUri(embedded.uri()));
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
