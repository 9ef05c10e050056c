package org.cartostream.run.deployment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
 * Client of one service on a cluster, which submits, ends and restarts the service. Not
 * thread-safe.
 *
 * <p>A service that is restarted under the same name continues its robots' runs: each run is
 * restored from its checkpoint, and later readings are delivered again.
 */
public final class ClusterService {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterService.class);
  private static final long GONE_SECONDS = 90;
  private static final long BACK_SECONDS = 180;
  private static final long POLL_MILLIS = 250;
  private static final long REPAIR_SECONDS = 2;
  private static final Optional<String> NOT_NOW =
      Optional.of("Nimbus does not answer now, and is asked again");

  private final Cluster cluster;
  private final String name;

  /**
   * Storm's id of the topology submitted by this client; null if none was submitted or the id is
   * unknown.
   */
  private String submitted;

  /** Latest question to Nimbus of whether the service is being brought back, with its answer. */
  private CompletableFuture<Optional<String>> repairAsked =
      CompletableFuture.completedFuture(NOT_NOW);

  /** Storm's id of the topology that was killed; null before that. */
  private String killed;

  /**
   * @param name name of the service and of its topology
   */
  public ClusterService(Cluster cluster, String name) {
    this.cluster = cluster;
    this.name = name;
  }

  /**
   * Submits the service's topology, if the cluster has enough free slots. The service's queue is
   * created first, because robots have no permission to create it and would be refused.
   *
   * @param asked action that runs just before the request to Nimbus
   * @throws NimbusException if Nimbus refuses the topology or does not answer
   */
  public void submit(ServiceSettings service, Runnable asked) throws NimbusException {
    Nimbus nimbus = cluster.nimbus();
    int workers = service.topology().workers();
    Path jar = null;
    try {
      if (killed != null) { // Its slots take a while to become free, and revived hosts to return.
        await(
            () -> hasRoom(nimbus, workers),
            GONE_SECONDS,
            "the cluster has no %d free slots %d s after the end of %s"
                .formatted(workers, GONE_SECONDS, name));
      }
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
      submitted = idOf(nimbus);
    } catch (IllegalArgumentException e) {
      throw ExitException.failed(e.getMessage(), e);
    } catch (IOException e) {
      throw ExitException.of(e);
    } finally {
      delete(jar);
    }
  }

  private static boolean hasRoom(Nimbus nimbus, int workers) {
    try {
      return nimbus.freeSlots() >= workers;
    } catch (NimbusException e) {
      return false;
    }
  }

  private String idOf(Nimbus nimbus) {
    try {
      return nimbus.idOf(name);
    } catch (NimbusException e) {
      LOG.debug("{} is submitted, and its id not known", name, e);
      return null;
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
   * Ends the topology that an earlier process of the run has left, and waits until nothing of that
   * process is left. The earlier process must be dead or fenced.
   *
   * @param robot id of the robot whose answers that process took
   * @param says receives sentences for people on the progress
   * @throws NimbusException if Nimbus does not answer whether it has the topology
   */
  public void clear(String robot, Consumer<String> says) throws NimbusException {
    await(
        () -> cluster.access().readersOfAnswers(robot).orElse(1) == 0,
        GONE_SECONDS,
        "the process that had the run of %s still takes answers from the broker after %d s; end it"
            .formatted(robot, GONE_SECONDS));
    if (cluster.nimbus().topologies().stream().anyMatch(each -> each.name().equals(name))) {
      says.accept("ends the topology " + name + ", which an earlier process has left");
      endWithReaders();
    }
  }

  /**
   * Returns true if Storm's id of the submitted topology is known, which tells it from one of the
   * same name by another process.
   */
  boolean isKnown() {
    return submitted != null;
  }

  /**
   * Returns a sentence on who brings back the service when it does not answer; empty if Nimbus has
   * no such topology. Waits at most two seconds for Nimbus.
   */
  public Optional<String> repair() {
    if (repairAsked.isDone()) {
      repairAsked = CompletableFuture.supplyAsync(this::askForRepair);
    }
    return repairAsked.copy().completeOnTimeout(NOT_NOW, REPAIR_SECONDS, TimeUnit.SECONDS).join();
  }

  private Optional<String> askForRepair() {
    try {
      return cluster.nimbus().topologies().stream()
          .filter(each -> each.name().equals(name) && !each.status().equals("KILLED"))
          .findFirst()
          .map(each -> "Nimbus has its topology, whose workers Storm starts again if they end");
    } catch (NimbusException e) {
      return NOT_NOW;
    }
  }

  private void endWithReaders() {
    end();
    await(
        () -> cluster.access().readersOf(name).orElse(1) == 0,
        GONE_SECONDS,
        "workers of " + name + " still take readings " + GONE_SECONDS + " s after its end");
  }

  /**
   * Kills the service's topology and waits until Nimbus has forgotten it. A topology of the same
   * name by another process is not killed. Nimbus is asked repeatedly, because for some seconds
   * after an outage of ZooKeeper it denies having topologies that exist.
   */
  public void end() {
    Nimbus nimbus = cluster.nimbus();
    await(
        () -> isGone(nimbus),
        GONE_SECONDS,
        "the topology %1$s is not gone after %2$d s; 'kill %1$s' tries again"
            .formatted(name, GONE_SECONDS));
  }

  /**
   * Requests the end of the topology; returns true if the topology has ended and its data in
   * ZooKeeper are deleted.
   */
  private boolean isGone(Nimbus nimbus) {
    try {
      for (Nimbus.Topology topology : nimbus.topologies()) {
        if (topology.name().equals(name)) {
          String id = nimbus.idOf(name);
          if (submitted != null && !submitted.equals(id)) {
            break; // The run's new process has ended ours before.
          }
          if (!topology.status().equals("KILLED")) {
            killed = id;
            nimbus.kill(name);
          }
          return false;
        }
      }
      if (killed != null) { // Not earlier: a task that still started would count from 1 again.
        Rebalance.forget(cluster.zookeeper(), killed);
      }
      return true;
    } catch (NimbusException | IOException notNow) {
      LOG.debug("Nimbus does not end {} yet", name, notNow);
      return false;
    }
  }

  /**
   * Ends the service, submits it with new settings, and waits until it takes readings again.
   *
   * @return the time during which the service took no readings, seconds
   * @throws NimbusException if Nimbus refuses the topology or does not answer
   */
  public double restart(ServiceSettings service) throws NimbusException {
    long start = System.nanoTime();
    endWithReaders();
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
