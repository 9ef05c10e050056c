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
 * A service on a cluster, which can be submitted, ended and restarted. Not thread-safe.
 *
 * <p>A service that is started again under its name goes on with its robots' runs: each is restored
 * from its checkpoint, and what no checkpoint has is delivered again.
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

  /** Storm's id of the topology that was submitted here; null if none was, or it is not known. */
  private String submitted;

  /** The last question to Nimbus who works at it. */
  private CompletableFuture<Optional<String>> repairAsked =
      CompletableFuture.completedFuture(NOT_NOW);

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
      if (killed != null) { // Its slots are not free, or its revived hosts not there, at once.
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
   * Ends what a process has left that had it and is dead or fenced; returns when nothing of it is
   * there.
   *
   * @param robot whose answers that process took
   * @param says receives what is done
   * @throws NimbusException if Nimbus does not say whether it has the topology
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

  /** True if it can be told from one of its name that another has submitted. */
  boolean isKnown() {
    return submitted != null;
  }

  /**
   * Returns who works at it when it does not answer; empty if Nimbus says that there is no such
   * one. Waits for Nimbus for no longer than two seconds.
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
   * Ends it, but not one of its name that another has submitted; returns when Nimbus has the
   * topology no more. It is asked until then, for Nimbus says that there is none of that name,
   * although there is, for some seconds after ZooKeeper was away.
   */
  public void end() {
    Nimbus nimbus = cluster.nimbus();
    await(
        () -> isGone(nimbus),
        GONE_SECONDS,
        "the topology %1$s is not gone after %2$d s; 'kill %1$s' tries again"
            .formatted(name, GONE_SECONDS));
  }

  /** Asks for its end; true if it has come, and the topology is forgotten. */
  private boolean isGone(Nimbus nimbus) {
    try {
      for (Nimbus.Topology topology : nimbus.topologies()) {
        if (topology.name().equals(name)) {
          String id = nimbus.idOf(name);
          if (submitted != null && !submitted.equals(id)) {
            break; // Ours was ended before, by who has taken the run.
          }
          if (!topology.status().equals("KILLED")) {
            killed = id;
            nimbus.kill(name);
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
