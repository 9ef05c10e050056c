package org.cartostream.run.deployment;

import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.run.settings.RootSettings;

/**
 * A run's broker and service, in this JVM or on a cluster. Owns what it starts there, for the time
 * of the run.
 */
public interface Deployment extends AutoCloseable {

  /** Returns the broker settings with which the command line connects, in the service's role. */
  BrokerSettings serviceBroker();

  /** Returns the broker settings with which the robot's gateway connects. */
  BrokerSettings robotBroker();

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
   * The time of the service in its deployment: to be stopped even if its start fails, for it may
   * come all the same. Of two failures the first is thrown, which is the start's.
   */
  interface RunningService extends AutoCloseable {
    @Override
    void close();
  }
}
