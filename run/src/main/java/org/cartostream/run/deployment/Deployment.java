package org.cartostream.run.deployment;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.run.settings.RootSettings;

/**
 * A run's broker and service, in this JVM or on a cluster. Owns the broker and service that it
 * starts, until it is closed.
 */
public interface Deployment extends AutoCloseable {

  /** Returns the broker settings with which the command line connects, in the service's role. */
  BrokerSettings serviceBroker();

  /** Returns the broker settings with which the robot's gateway connects. */
  BrokerSettings robotBroker();

  /**
   * Claims the run for this process, if the deployment is one where other processes could have it,
   * and ends the topology that an earlier process has left. If the earlier process is dead, waits
   * until its claim has expired.
   *
   * @param says receives a sentence on what the claim waits for, every few seconds
   * @return a future that is completed with the process that takes the run away by force, if one
   *     does; from then on this process must end or delete nothing
   * @throws org.cartostream.broker.registry.RegistryException if another process has the run
   */
  default CompletableFuture<String> claim(RegistrySettings settings, Consumer<String> says)
      throws InterruptedException {
    return new CompletableFuture<>();
  }

  /**
   * Returns true if another process has taken the run away; asks at once, while the future of
   * {@link #claim} may be seconds late.
   */
  default boolean isFenced() {
    return false;
  }

  /**
   * Returns a sentence for people on who brings back a service that does not answer; empty if
   * nobody does.
   */
  default Optional<String> repair() {
    return Optional.empty();
  }

  /**
   * Starts the service.
   *
   * @return the service's own ZooKeeper, where robots register unless another is named
   */
  ZooKeeperAccess start(RootSettings settings);

  /** Stops the service. */
  void stop();

  /** Gives up the run's claim, and stops the broker if it was started here. */
  @Override
  void close();

  /**
   * A service that was started in its deployment. It must be stopped even if its start failed,
   * since it may come up later. If both start and stop fail, the exception of the start is thrown.
   */
  interface RunningService extends AutoCloseable {
    @Override
    void close();
  }
}
