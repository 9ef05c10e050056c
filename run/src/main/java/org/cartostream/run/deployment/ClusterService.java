package org.cartostream.run.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.deploy.cluster.Cluster;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.deploy.submission.Rebalance;
import org.cartostream.deploy.submission.TopologyJar;
import org.cartostream.run.exit.ExitException;
import org.cartostream.topology.settings.ServiceSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits a service to a cluster, ends it and starts it again. Not thread-safe.
 *
 * <p>A service that is started again under its name goes on with its robots' runs: each is restored
 * from its checkpoint, and what no checkpoint has is delivered again.
 */
public final class ClusterService {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterService.class);
  private static final long GONE_SECONDS = 90;
  private static final long BACK_SECONDS = 180;
  private static final long POLL_MILLIS = 250;

  private final Cluster cluster;
  private final String name;

  /** Storm's id of the topology; null until its end was asked for. */
  private String killed;

  /**
   * @param name of the service and of its topology
   */
  public ClusterService(Cluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Submits it, if there is room for it. Its queue is there before it is: a robot may not make
   * that, and would be refused.
   *
   * @param asked runs when Nimbus is about to be asked to take it
   * @throws NimbusException if Nimbus does not take it, or does not say so
   */
  public void submit(ServiceSettings service, Runnable asked) throws NimbusException {
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
      nimbus.submit(name, service, jar);
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
   * Ends it; returns when Nimbus has the topology no more. It is asked until then, for Nimbus says
   * that there is none of that name, although there is, for some seconds after ZooKeeper was away.
   */
  public void end() {
    Nimbus nimbus = cluster.nimbus();
    await(
        () -> isGone(nimbus),
        GONE_SECONDS,
        "the topology " + name + " is not gone after " + GONE_SECONDS + " s");
  }

  /** Asks for its end; true if it has come, and the topology is forgotten. */
  private boolean isGone(Nimbus nimbus) {
    try {
      for (Nimbus.Topology topology : nimbus.topologies()) {
        if (topology.name().equals(name)) {
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
      LOG.debug("Nimbus does not end {} yet", name, notNow);
      return false;
    }
  }

  /**
   * Ends it, submits it with these settings, and waits until it takes readings again.
   *
   * @return for how many seconds it took none
   * @throws NimbusException if Nimbus does not take it
   */
  public double restart(ServiceSettings service) throws NimbusException {
    long start = System.nanoTime();
    end();
    await(
        () -> cluster.access().readersOf(name).orElse(1) == 0,
        GONE_SECONDS,
        "workers of " + name + " still take readings " + GONE_SECONDS + " s after its end");
    submit(service, () -> {});
    await(
        () -> cluster.access().readersOf(name).orElse(0) > 0,
        BACK_SECONDS,
        "%s is submitted, but takes no readings after %d s; 'cluster logs %s' says why"
            .formatted(name, BACK_SECONDS, name));
    return (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  private static void await(BooleanSupplier done, long seconds, String late) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try {
      while (!done.getAsBoolean()) {
        if (System.nanoTime() > end) {
          throw ExitException.failed(late);
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExitException.failed("interrupted: " + late, e);
    }
  }
}
