package org.cartostream.cli;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.topology.TopologySettings;

/** Where a run's broker and service are. Owns what it starts there, for the time of the run. */
interface Venue extends AutoCloseable {

  /** How the command line reaches the broker, as the service's side. */
  BrokerSettings operator();

  /** How the robot's gateway reaches it. */
  BrokerSettings robot();

  /**
   * Starts the service.
   *
   * @return ZooKeeper, where robots register
   */
  ZooKeeperAccess start(FilterSettings filter, TopologySettings topology);

  /** Stops the service. */
  void stop();

  /** Lets go of the broker. */
  @Override
  void close();
}
