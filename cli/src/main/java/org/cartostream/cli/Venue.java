package org.cartostream.cli;

import org.cartostream.broker.BrokerSettings;
import org.cartostream.broker.ZooKeeperAccess;

/** Where a run's broker and service are. Owns what it starts there, for the time of the run. */
interface Venue extends AutoCloseable {

  /** How the command line reaches the broker, as the service's side. */
  BrokerSettings operator();

  /** How the robot's gateway reaches it. */
  BrokerSettings robot();

  /**
   * Starts the service.
   *
   * @return the service's own ZooKeeper, where robots register unless another is named
   */
  ZooKeeperAccess start(RootSettings settings);

  /** Stops the service. */
  void stop();

  /** Lets go of the broker. */
  @Override
  void close();

  /**
   * The time of the service at its venue: to be stopped even if its start fails, for it may come
   * all the same. Of two failures the first is told, which is the start's.
   */
  interface Served extends AutoCloseable {
    @Override
    void close();
  }
}
