package org.cartostream.run.deployment;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.Registry;
import org.cartostream.broker.registry.RegistryEntry;
import org.cartostream.broker.registry.RegistrySettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Deployment on a cluster: the cluster's broker, and a topology for this run only, which is killed
 * at the run's end. If this process dies earlier, the next process that claims the run kills the
 * topology; if none does, the topology ends itself when the robot is forgotten.
 *
 * <p>Owns the entry in the cluster's ZooKeeper by which others see that the run has a process.
 */
public final class ClusterDeployment implements Deployment {

  private final Cluster cluster;
  private final ClusterService service;
  private final BrokerSettings wanted;
  private final String robot;
  private final boolean force;
  private Registry owner;
  private boolean submitted;

  /**
   * @param wanted the broker's settings, with the service's name
   * @param robot id of the run's robot
   * @param force true to take the run away from another process that is still alive
   */
  public ClusterDeployment(Cluster cluster, BrokerSettings wanted, String robot, boolean force) {
    this.cluster = cluster;
    this.service = new ClusterService(cluster, wanted.service());
    this.wanted = wanted;
    this.robot = robot;
    this.force = force;
  }

  /**
   * Returns the location of the checkpoints of a cluster's services: a folder on each host, or a
   * bucket.
   */
  public static String checkpoints(ClusterHome home) {
    String named = home.plan().checkpoints();
    return named.isEmpty() ? home.checkpoints().toString() : named;
  }

  @Override
  public BrokerSettings serviceBroker() {
    return cluster.access().brokerForService(wanted);
  }

  @Override
  public BrokerSettings robotBroker() {
    return cluster.access().brokerForRobot(robot, wanted);
  }

  @Override
  public CompletableFuture<String> claim(RegistrySettings settings, Consumer<String> says)
      throws InterruptedException {
    // The cluster's ZooKeeper, not the robots' registry: the topology is on this cluster.
    owner = Registry.open(cluster.zookeeper(), settings);
    RegistryEntry entry = RegistryEntry.ofThisProcess(wanted.service(), RegistryEntry.LOG);
    owner.claim(Registry.Kind.OWNERS, entry, force, says);
    try {
      service.clear(robot, says);
    } catch (NimbusException e) {
      throw ExitException.failed(e.getMessage(), e);
    }
    return owner.fenced();
  }

  @Override
  public boolean isFenced() {
    return owner != null && owner.isFenced();
  }

  @Override
  public Optional<String> repair() {
    return service.repair();
  }

  @Override
  public ZooKeeperAccess start(RootSettings settings) {
    ServiceSettings its =
        settings.endingWithRobot().service(cluster.access().brokerForWorkers(wanted));
    try {
      service.submit(its, () -> submitted = true);
    } catch (NimbusException e) {
      // Unless Nimbus refused, it may have received the request and still start the topology.
      submitted &= !e.refused();
      throw ExitException.failed(e.getMessage(), e);
    }
    return cluster.zookeeper();
  }

  @Override
  public void stop() {
    // If its id is unknown, a topology of that name may belong to the run's new process.
    if (submitted && (service.isKnown() || !isFenced())) {
      service.end();
    }
  }

  @Override
  public void close() {
    if (owner != null) {
      owner.close();
    }
  }
}
