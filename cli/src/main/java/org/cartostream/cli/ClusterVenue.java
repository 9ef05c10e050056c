package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.cli.cluster.Cluster;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.topology.ServiceSettings;
import org.cartostream.topology.TopologySettings;
import org.cartostream.topology.submission.Nimbus;
import org.cartostream.topology.submission.Nimbus.NimbusException;
import org.cartostream.topology.submission.TopologyJar;

/** A cluster: its broker, and a topology of the run's own, killed when it ends. */
final class ClusterVenue implements Venue {

  private static final long GONE_SECONDS = 60;
  private static final long LOOK_EVERY_MILLIS = 250;

  private final Cluster cluster;
  private final BrokerSettings wanted;
  private final String robot;
  private boolean submitted;

  /**
   * @param wanted the broker's settings, with the service's name
   * @param robot whose run it is
   */
  ClusterVenue(Cluster cluster, BrokerSettings wanted, String robot) {
    this.cluster = cluster;
    this.wanted = wanted;
    this.robot = robot;
  }

  @Override
  public BrokerSettings operator() {
    return cluster.brokerForService(wanted);
  }

  @Override
  public BrokerSettings robot() {
    return cluster.brokerForRobot(robot, wanted);
  }

  @Override
  public String start(FilterSettings filter, TopologySettings topology) {
    submit(cluster, new ServiceSettings(filter, cluster.brokerForWorkers(wanted), topology));
    submitted = true;
    return cluster.zookeeper();
  }

  /** Submits a service under its own name, if there is room for it. */
  static void submit(Cluster cluster, ServiceSettings service) {
    Nimbus nimbus = cluster.nimbus();
    int workers = service.topology().workers();
    Path jar = null;
    try {
      int free = nimbus.freeSlots();
      if (free < workers) {
        throw Failure.failed(
            "the cluster has %d free slots of %d, and topology.workers is %d"
                .formatted(free, cluster.slots(), workers));
      }
      jar = TopologyJar.write(Files.createTempFile("cartostream-topology", ".jar"));
      nimbus.submit(service.broker().service(), service, jar);
    } catch (NimbusException | IllegalArgumentException e) {
      throw Failure.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw Failure.of(e);
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
      throw Failure.of(e);
    }
  }

  /** Returns when the workers' slots are free again, so that the next run finds them. */
  @Override
  public void stop() {
    if (!submitted) {
      return;
    }
    Nimbus nimbus = cluster.nimbus();
    try {
      nimbus.kill(wanted.service());
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GONE_SECONDS);
      while (nimbus.topologies().stream().anyMatch(t -> t.name().equals(wanted.service()))) {
        if (System.nanoTime() > end) {
          throw Failure.failed(
              "the topology " + wanted.service() + " is not gone after " + GONE_SECONDS + " s");
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
      }
    } catch (NimbusException e) {
      throw Failure.failed(
          "the topology " + wanted.service() + " still runs: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    // The cluster stays.
  }
}
