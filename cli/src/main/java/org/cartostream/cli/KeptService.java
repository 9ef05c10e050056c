package org.cartostream.cli;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;

/**
 * A service in this JVM that goes on from one run to the next, so that the later one meets it warm.
 * The runs must be the same robot's, with the same settings, one after the other.
 *
 * <p>Owns its venue and what runs there, from the first run on.
 */
final class KeptService implements AutoCloseable {

  private LocalVenue venue;
  private ZooKeeperAccess zookeeper;

  /** The venue of one run: the first starts the service, none stops it. */
  Venue venue(BrokerSettings broker) {
    if (venue == null) {
      venue = LocalVenue.open(broker);
    }
    return new Visit();
  }

  @Override
  public void close() {
    if (venue != null) {
      venue.stop();
      venue.close();
    }
  }

  private final class Visit implements Venue {

    @Override
    public BrokerSettings operator() {
      return venue.operator();
    }

    @Override
    public BrokerSettings robot() {
      return venue.robot();
    }

    @Override
    public ZooKeeperAccess start(RootSettings settings) {
      if (zookeeper == null) {
        zookeeper = venue.start(settings);
      }
      return zookeeper;
    }

    @Override
    public boolean stop() {
      return false;
    }

    @Override
    public void close() {
      // There may be further runs.
    }
  }
}
