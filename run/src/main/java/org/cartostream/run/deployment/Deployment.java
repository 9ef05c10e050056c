package org.cartostream.run.deployment;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.RegistrySettings;
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
   * Makes this process the one that has the run there, where another could have it, and ends what
   * an earlier one has left of it. Waits for one that is dead until nobody takes it for alive.
   *
   * @param says receives what it waits for, each few seconds
   * @return completed with who has taken the run away by force, if somebody does: then nothing may
   *     be ended or deleted any more
   * @throws org.cartostream.broker.registry.RegistryException if another process has the run
   */
  default CompletableFuture<String> claim(RegistrySettings settings, Consumer<String> says)
      throws InterruptedException {
    return new CompletableFuture<>();
  }

  /** Asks now whether somebody has taken the run away, which {@link #claim} tells seconds later. */
  default boolean isFenced() {
    return false;
  }

  /**
   * Returns who works at bringing back a service that does not answer, for people; empty if nobody.
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

  /** Lets go of the broker. */
  @Override
  void close();

  /**
   * A service that was started in its deployment. It must be stopped even if its start failed,
   * since it may come up later. Of two failures the first is thrown, which is the start's.
   */
  interface RunningService extends AutoCloseable {
    @Override
    void close();
  }
}
