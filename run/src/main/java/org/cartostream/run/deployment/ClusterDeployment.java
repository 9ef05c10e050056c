package org.cartostream.run.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.spec.ClusterHome;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.deploy.submission.Rebalance;
import org.cartostream.deploy.submission.TopologyJar;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deployment on a cluster: its broker, and a topology of the run's own, killed when it ends. Where
 * this process dies before that, the topology ends by itself when the robot is forgotten.
 */
public final class ClusterDeployment implements Deployment {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterDeployment.class);
  private static final long GONE_SECONDS = 90;
  private static final long POLL_MILLIS = 250;

  private final Cluster cluster;
  private final BrokerSettings wanted;
  private final String robot;
  private boolean submitted;

  /** Storm's id of the topology; null until its end was asked for. */
  private String killed;

  /**
   * @param wanted the broker's settings, with the service's name
   * @param robot whose run it is
   */
  public ClusterDeployment(Cluster cluster, BrokerSettings wanted, String robot) {
    this.cluster = cluster;
    this.wanted = wanted;
    this.robot = robot;
  }

  /** Where services on a cluster keep their checkpoints, on each of its hosts. */
  public static Path checkpoints(ClusterHome home) {
    return home.folder().resolve("checkpoint");
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
    ServiceSettings service =
        settings.endingWithRobot().service(cluster.access().brokerForWorkers(wanted));
    try {
      submit(cluster, service, () -> submitted = true);
    } catch (NimbusException e) {
      // Unless it has refused, it may have received the request, and the topology may come yet.
      submitted &= !e.refused();
      throw ExitException.failed(e.getMessage(), e);
    }
    return cluster.zookeeper();
  }

  /**
   * Submits a service under its own name, if there is room for it. Its queue is there before it is:
   * a robot may not make that, and would be refused.
   *
   * @throws NimbusException if Nimbus does not take it, or does not say so
   */
  public static void submit(Cluster cluster, ServiceSettings service) throws NimbusException {
    submit(cluster, service, () -> {});
  }

  /**
   * The same.
   *
   * @param asked runs when Nimbus is about to be asked to take it
   */
  private static void submit(Cluster cluster, ServiceSettings service, Runnable asked)
      throws NimbusException {
    Nimbus nimbus = cluster.nimbus();
    int workers = service.topology().workers();
    Path jar = null;
    try {
      int free = nimbus.freeSlots();
      if (free < workers) {
        throw ExitException.failed(
            "the cluster has %d free slots of %d, and topology.workers is %d"
                .formatted(free, cluster.slots(), workers));
      }
      jar = TopologyJar.write(Files.createTempFile("cartostream-topology", ".jar"));
      BrokerSettings operator = cluster.access().brokerForService(service.broker());
      BrokerConnection.open(operator, "command line", BrokerListener.NONE).close();
      asked.run();
      nimbus.submit(service.broker().service(), service, jar);
    } catch (IllegalArgumentException e) {
      throw ExitException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ExitException.of(e);
    } finally {
      delete(jar);
    }
  }

  private static void delete(Path jar) {
    try {
      if (jar != null) {
        Files.delete(jar);
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * Returns when Nimbus has the topology no more. It is asked until then, for Nimbus says that
   * there is none of that name, although there is, for some seconds after ZooKeeper was away.
   */
  @Override
  public void stop() {
    if (!submitted) {
      return;
    }
    Nimbus nimbus = cluster.nimbus();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GONE_SECONDS);
    try {
      while (!isGone(nimbus)) {
        if (System.nanoTime() > end) {
          throw ExitException.failed(
              "the topology " + wanted.service() + " is not gone after " + GONE_SECONDS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for its end; true if it has come, and the topology is forgotten. */
  private boolean isGone(Nimbus nimbus) {
    try {
      for (Nimbus.Topology topology : nimbus.topologies()) {
        if (topology.name().equals(wanted.service())) {
          if (!topology.status().equals("KILLED")) {
            killed = nimbus.idOf(topology.name());
            nimbus.kill(topology.name());
          }
          return false;
        }
      }
      if (killed != null) { // Not before: a task that began yet would count from 1 again.
        Rebalance.forget(cluster.zookeeper(), killed);
      }
      return true;
    } catch (NimbusException | IOException notNow) {
      LOG.debug("Nimbus does not end {} yet", wanted.service(), notNow);
      return false;
    }
  }

  @Override
  public void close() {
    // The cluster stays.
  }
}
