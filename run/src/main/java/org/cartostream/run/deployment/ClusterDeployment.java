package org.cartostream.run.deployment;

import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.settings.ServiceSettings;

/**
 * Deployment on a cluster: its broker, and a topology of the run's own, killed when it ends. Where
 * this process dies before that, the topology ends by itself when the robot is forgotten.
 */
public final class ClusterDeployment implements Deployment {

  private final Cluster cluster;
  private final ClusterService service;
  private final BrokerSettings wanted;
  private final String robot;
  private boolean submitted;

  /**
   * @param wanted the broker's settings, with the service's name
   * @param robot whose run it is
   */
  public ClusterDeployment(Cluster cluster, BrokerSettings wanted, String robot) {
    this.cluster = cluster;
    this.service = new ClusterService(cluster, wanted.service());
    this.wanted = wanted;
    this.robot = robot;
  }

  /** Location of the checkpoints of a cluster's services: a folder on each host, or a bucket. */
  public static String checkpoints(ClusterHome home) {
    String named = home.plan().checkpoints();
    return named.isEmpty() ? home.folder().resolve("checkpoint").toString() : named;
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
    if (submitted) {
      service.end();
    }
  }

  @Override
  public void close() {
    // The cluster stays.
  }
}
