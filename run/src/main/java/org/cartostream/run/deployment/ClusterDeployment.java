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
 * Deployment on a cluster: its broker, and a topology of the run's own, killed when it ends. Where
 * this process dies before that, whoever claims the run ends it; if nobody does, it ends by itself
 * when the robot is forgotten.
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
   * @param robot whose run it is
   * @param force true to take the run away from a process that lives
   */
  public ClusterDeployment(Cluster cluster, BrokerSettings wanted, String robot, boolean force) {
    this.cluster = cluster;
    this.service = new ClusterService(cluster, wanted.service());
    this.wanted = wanted;
    this.robot = robot;
    this.force = force;
  }

  /** Location of the checkpoints of a cluster's services: a folder on each host, or a bucket. */
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
    // Not where robots register, which may be another ZooKeeper: this is about the topology here.
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
      // Unless it has refused, it may have received the request, and the topology may come yet.
      submitted &= !e.refused();
      throw ExitException.failed(e.getMessage(), e);
    }
    return cluster.zookeeper();
  }

  @Override
  public void stop() {
    // One of its name whose id is not known may be that of who has the run now.
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
